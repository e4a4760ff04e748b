// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "io/image/source.hpp"

namespace meander::io {

#ifdef MEANDER_WITH_GIF
/// The graphics interchange format, by giflib and for output only: each slice of a volume, or each
/// frame of a film of 2-D images, is a frame in 256 greys, and the frames repeat for ever. Those of
/// a film are shown as long as it says, in hundredths of a second and at least two of them; others
/// for a tenth of a second. A 2-D image is a file of one frame. Of three channels each pixel
/// becomes the nearest of 216 colours and 39 more greys. There is no place for a spacing.
std::unique_ptr<Writer::Sink> create_gif(AtomicFile file, const Description& description,
                                         const WriteOptions& options);
#endif

}  // namespace meander::io
