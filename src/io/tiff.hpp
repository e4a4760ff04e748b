// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "io/source.hpp"

namespace meander::io {

#ifdef MEANDER_WITH_TIFF
/// TIFF and BigTIFF: samples are channels, pages are slices. Values are stored values: neither
/// "white is zero" nor an alpha channel changes them.
std::unique_ptr<Reader::Source> open_tiff(InputFile file, const ReadOptions& options);
/// Uncompressed, with ImageJ's description for spacing.
std::unique_ptr<Writer::Sink> create_tiff(AtomicFile file, const Description& description);
/// Uncompressed, with OME-XML.
std::unique_ptr<Writer::Sink> create_ome_tiff(AtomicFile file, const Description& description);
#endif

}  // namespace meander::io
