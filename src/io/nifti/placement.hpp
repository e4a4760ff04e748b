// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <filesystem>
#include <optional>

#include "io/nifti/header.hpp"
#include "meander/image.hpp"

/// Spacing and placement from a NIfTI header and into one.
namespace meander::io {

/// pixdim in the unit of the header, pixels where that is not known. A float is read as the
/// shortest decimal that stands for it, so that 0.1f is 0.1. As nibabel has it, 0 (and what is not
/// finite) counts as 1 and a negative size without its sign.
Spacing nifti_spacing(const NiftiHeader& header);
/// Seconds between frames; 0 where the header does not say.
double nifti_seconds(const NiftiHeader& header);
/// The sform, or else the qform, or else nothing; in the unit of the spacing. Throws MalformedFile
/// for numbers that are not finite and for a quaternion longer than 1.
std::optional<Placement> nifti_placement(const std::filesystem::path& path,
                                         const NiftiHeader& header);

/// Fills pixdim, the units, sform and qform. NIfTI has no nanometres and centimetres, which become
/// micrometres and millimetres. The qform is left out where steps are not at right angles or do not
/// measure what the spacing says, because it could not express them. Throws Unsupported for lengths
/// that NIfTI-1 cannot hold.
void set_nifti_geometry(const std::filesystem::path& path, const Spacing& spacing,
                        const std::optional<Placement>& placement, double seconds,
                        NiftiHeader& header);

}  // namespace meander::io
