// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "io/bmp/header.hpp"
#include "io/file/progress.hpp"

namespace meander::io {

/// Run-length encoded pixels of 4 or 8 bits as a byte each, the bottom row first. What the runs
/// pass over is 0, and what they put beyond the end of a row is left out, as other programs have
/// it. Throws MalformedFile when the file ends before the image does.
void decode_bmp_runs(const InputFile& file, const BmpHeader& header, std::uint8_t* out,
                     Progress& progress);

}  // namespace meander::io
