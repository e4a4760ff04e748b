// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "io/image/source.hpp"

namespace meander::io {

#ifdef MEANDER_WITH_PNG
/// Portable network graphics of 8 or 16 bits and 1 to 4 channels, by libpng. A palette is resolved
/// to RGB or, where all its colours are greys, to grey, either with an alpha channel where the file
/// has one; 1-, 2- and 4-bit grey is expanded to 0 to 255, and the orientation of an eXIf chunk
/// before the pixels is applied. Nothing else changes a value:
/// gamma, colour profiles and the transparent colour of images without an alpha channel are
/// ignored.
std::unique_ptr<Reader::Source> open_png(InputFile file, const ReadOptions& options);
std::unique_ptr<Writer::Sink> create_png(AtomicFile file, const Description& description,
                                         const WriteOptions& options);
#endif

}  // namespace meander::io
