// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "io/image/source.hpp"

namespace meander::io {

#ifdef MEANDER_WITH_JPEG
/// JPEG of 8 bits, grey or in colours that become RGB, by libjpeg-turbo and for input only. EXIF's
/// orientation is applied; its density is that of a printer and no spacing. Data that are damaged
/// or end early are a MalformedFile, though libjpeg would go on with whatever it has.
std::unique_ptr<Reader::Source> open_jpeg(InputFile file, const ReadOptions& options);
#endif

}  // namespace meander::io
