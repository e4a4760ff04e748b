// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "bench/harness.hpp"
#include "meander/image.hpp"

namespace meander::bench {

struct IoResult {
  std::vector<Row> rows;  ///< The first is the plain read().
  std::int64_t image_bytes = 0;
  std::int64_t peak_bytes = 0;  ///< Of io::read on the last row's file, beyond the process's own.
};

/// Reading a u16 image of this shape from an NPY file and, where this build has it, a TIFF file in
/// the page cache, against read() of the same bytes into a fresh buffer. Every run is in a child
/// process. Needs twice the image on disk, in the folder for temporary files, and removes it.
IoResult bench_io(const Shape& shape, int runs, const Control& control);

}  // namespace meander::bench
