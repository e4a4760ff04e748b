// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "io/image/source.hpp"

namespace meander::io {

/// Windows bitmaps, for input only: palettes of 1, 4 and 8 bits, also run-length encoded, as grey
/// or RGB, and colours of 16, 24 and 32 bits as RGB, or RGBA where the header has a mask for alpha.
bool is_bmp(const InputFile& file);
std::unique_ptr<Reader::Source> open_bmp(InputFile file, const ReadOptions& options);

}  // namespace meander::io
