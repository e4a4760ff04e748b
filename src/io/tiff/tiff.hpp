// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "io/image/source.hpp"

namespace meander::io {

#ifdef MEANDER_WITH_TIFF
/// TIFF and BigTIFF: samples are channels, and pages are slices unless ImageJ's or OME's notes say
/// that they are channels and frames as well (planes.hpp). Values are stored values: neither
/// "white is zero" nor an alpha channel changes them.
std::unique_ptr<Reader::Source> open_tiff(InputFile file, const ReadOptions& options);
/// Uncompressed, with ImageJ's description for axes, spacing and time, and lines of our own that
/// keep spacing and placement to the last bit. What becomes a page: layout.hpp.
std::unique_ptr<Writer::Sink> create_tiff(AtomicFile file, const Description& description,
                                          const WriteOptions& options);
/// Uncompressed, with OME-XML; the placement is lost.
std::unique_ptr<Writer::Sink> create_ome_tiff(AtomicFile file, const Description& description,
                                              const WriteOptions& options);
#endif

}  // namespace meander::io
