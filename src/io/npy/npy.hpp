// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/file/input_file.hpp"
#include "io/image/source.hpp"
#include "io/image/stored_type.hpp"
#include "meander/io.hpp"

namespace meander::io {

/// NumPy's array file: a header that is a Python dictionary, then the numbers. The format has no
/// place for a spacing, so that is lost. Channels are the last axis. A film always has five axes,
/// (t, z, y, x, c), and nothing else has: so an array of four is never taken for one.
std::unique_ptr<Reader::Source> open_npy(InputFile file, const ReadOptions& options);
std::unique_ptr<Writer::Sink> create_npy(AtomicFile file, const Description& description,
                                         const WriteOptions& options);

/// What the header of an NPY file says.
struct NpyHeader {
  StoredType type = StoredType::u8;
  bool swapped = false;  ///< Numbers have their bytes in the other order than this machine.
  bool fortran_order = false;
  std::vector<std::int64_t> shape;  ///< Slowest axis first, as NumPy counts them.
  std::int64_t data_offset = 0;
};

/// Reads versions 1 to 3. Throws MalformedFile for what NumPy would not have written and
/// Unsupported for element types that images do not have; nothing in the file is ever executed.
NpyHeader read_npy_header(const InputFile& file);

/// Magic, version 1.0, and the dictionary padded so that the numbers start on a 64-byte boundary.
std::string npy_header_text(const Description& description, const Film& film);

}  // namespace meander::io
