// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#include "io/file/input_file.hpp"
#include "meander/image.hpp"

namespace meander::io {

/// Holds what a header claims against what the file can contain, before anything is allocated.
/// `available` is the number of pixel bytes that the file can at most yield. A claim beyond it is
/// OutOfMemory when it also exceeds the memory budget (the more useful answer: such a file would
/// not have fitted anyway), otherwise MalformedFile.
void check_claim(const InputFile& file, const Description& claim, std::int64_t available);

/// The same for files whose numbers take `number_bytes` each (other than in memory, perhaps) and
/// that hold so many frames, all of which count against the budget.
struct StoredSize {
  std::int64_t number_bytes = 1;
  std::int64_t frames = 1;
};
void check_claim(const InputFile& file, const Description& claim, const StoredSize& stored,
                 std::int64_t available);

/// Throws OutOfMemory when the pixels exceed the budget of host memory.
void check_budget(const InputFile& file, const Description& claim);

/// Throws OutOfMemory when a buffer that decoding needs beside the pixels exceeds that budget.
void check_buffer(const InputFile& file, std::int64_t bytes);

/// `file_bytes` times the most that a compression can expand, without overflow.
std::int64_t expanded(std::int64_t file_bytes, std::int64_t ratio);

}  // namespace meander::io
