// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "io/image/source.hpp"

/// NIfTI-1 and NIfTI-2: one file (.nii, .nii.gz) or a header and its numbers (.hdr and .img), in
/// both byte orders. Axis 4 is time, axis 5 holds the channels. Written little-endian; as NIfTI-1
/// unless an axis is longer than 32767, the most that its header can say.
///
/// The placement is the sform, or the qform where there is no sform. What is written has the
/// placement as its sform, exactly, and as its qform where that can express it; a qform of the
/// input that differs from its sform is not kept, nor are extensions and other notes.
namespace meander::io {

/// The name of either file of a pair may be given.
std::unique_ptr<Reader::Source> open_nifti(InputFile file, const ReadOptions& options);
std::unique_ptr<Writer::Sink> create_nifti(AtomicFile file, const Description& description,
                                           const WriteOptions& options);

/// Whether a file is the .img of a pair: plain numbers that nothing tells but the header beside it.
bool recognise_nifti(const InputFile& file);

}  // namespace meander::io
