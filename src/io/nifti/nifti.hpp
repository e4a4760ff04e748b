// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "io/image/source.hpp"
#include "meander/image.hpp"

namespace meander::io {

// NIfTI-1 and NIfTI-2: one file (.nii, .nii.gz) or a header and its numbers (.hdr and .img), in
// both byte orders. Axis 4 is time, axis 5 holds the channels. Written little-endian; as NIfTI-1
// unless an axis is longer than 32767, the most that its header can say.
//
// The placement is the sform, or the qform where there is no sform. What is written has the
// placement as its sform, exactly, and as its qform where that can express it; a qform of the
// input that differs from its sform is not kept, nor are extensions and other notes.

/// The name of either file of a pair may be given.
std::unique_ptr<Reader::Source> open_nifti(InputFile file, const ReadOptions& options);
std::unique_ptr<Writer::Sink> create_nifti(AtomicFile file, const Description& description,
                                           const WriteOptions& options);

/// Whether a file is the .img of a pair: plain numbers that nothing tells but the header beside it.
bool recognise_nifti(const InputFile& file);

/// What a header of either version says; names as in the standard. Floats of version 1 are held
/// exactly.
struct NiftiHeader {
  int version = 1;
  bool swapped = false;   ///< Bytes in the other order than this machine's.
  bool detached = false;  ///< The numbers are in a file of their own.
  std::array<std::int64_t, 8> dim = {0, 1, 1, 1, 1, 1, 1, 1};
  int datatype = 0;
  int bitpix = 0;
  int intent_code = 0;
  std::array<double, 8> pixdim = {1, 1, 1, 1, 1, 1, 1, 1};
  double vox_offset = 0;
  double scl_slope = 1;
  double scl_inter = 0;
  int xyzt_units = 0;
  int qform_code = 0;
  int sform_code = 0;
  std::array<double, 3> quatern = {};
  std::array<double, 3> qoffset = {};
  std::array<std::array<double, 4>, 3> srow = {};
};

/// As much of a file's front as parse_nifti_header may want.
inline constexpr std::size_t nifti_front_bytes = 540;
/// Bytes of a header together with the four that say whether extensions follow.
constexpr std::int64_t nifti_header_end(int version) { return version == 1 ? 352 : 544; }

/// Whether bytes begin with the length of a NIfTI header, in either order. Analyze 7.5, which NIfTI
/// grew out of, begins so too.
bool begins_like_nifti(std::span<const std::byte> front);

/// Everything but the type of the numbers has been checked, as far as it can be without the file:
/// magic, axes, offset and scaling. Axes beyond dim[0] are 1 whatever is written there. Throws
/// MalformedFile, and Unsupported for an Analyze header; `path` is what the message begins with.
NiftiHeader parse_nifti_header(const std::filesystem::path& path, std::span<const std::byte> front);

/// The header in little-endian order, up to nifti_header_end.
std::string nifti_header_text(const NiftiHeader& header);

// Spacing and placement from a NIfTI header and into one.

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
