// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// The libFuzzer target of one format, MEANDER_FUZZ_FORMAT. Each input becomes a file, because files
// are what the library reads; where TMPDIR is in memory that takes microseconds.
#include <zlib.h>

#include <cstdio>
#include <cstdlib>

#include "hostile_outlines.hpp"
#include "meander/device.hpp"
#include "scratch_file.hpp"
#include "signature.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace meander::io {
namespace {

constexpr std::string_view format = MEANDER_FUZZ_FORMAT;
/// Small, so that a bomb is refused rather than inflated for milliseconds.
constexpr std::uint64_t budget_bytes = 4 << 20;

/// Executions of which kind; said at the end, since a run that never opens a file shows nothing.
struct Count {
  ~Count() {
    std::fprintf(stderr,
                 "stat::of_the_format:            %lld\nstat::opened:                   %lld\n",
                 of_the_format, opened);
  }
  long long of_the_format = 0;
  long long opened = 0;
};

/// Blocks that the pool keeps for reuse would hide what reaches beyond an image, and look like
/// leaks to libFuzzer, which counts blocks before and after each run.
void forget_idle_memory() {
  const Device cpu = Device::open("cpu");
  cpu.set_memory_budget(0);
  cpu.set_memory_budget(budget_bytes);
}

/// Of text without a signature everything is.
bool is_of_format(std::span<const std::uint8_t> input) {
  static const std::vector<Signature> signatures = signatures_of(format);
  return signatures.empty() || has_any(input, signatures);
}

void run(std::span<const std::uint8_t> input) {
  static const ScratchFile file(format);
  static Count count;
  if (!is_of_format(input)) return;
  if (count.of_the_format == 0) forget_idle_memory();
  ++count.of_the_format;
  const std::uint32_t choice = choice_from(input);
  const std::filesystem::path& path = file.hold(input, choice);
  bool opened = false;
  const std::string fault = fault_of(path, format, choice, opened);
  count.opened += opened ? 1 : 0;
  forget_idle_memory();
  if (fault.empty()) return;
  std::fprintf(stderr, "%s\n", fault.c_str());
  std::abort();
}

/// Makes the sums of chunks right again, without which libpng looks no further.
void mend_png_sums(std::span<std::uint8_t> file) {
  const auto big_endian = [&](std::size_t at) {
    return std::uint32_t{file[at]} << 24 | std::uint32_t{file[at + 1]} << 16 |
           std::uint32_t{file[at + 2]} << 8 | file[at + 3];
  };
  for (std::size_t at = 8; at + 12 <= file.size();) {
    const std::size_t length = big_endian(at);
    if (length > file.size() - at - 12) return;
    const auto sum =
        static_cast<std::uint32_t>(::crc32(0, file.data() + at + 4, static_cast<uInt>(length + 4)));
    for (std::size_t i = 0; i < 4; ++i) {
      file[at + 8 + length + i] = static_cast<std::uint8_t>(sum >> (24 - 8 * i));
    }
    at += length + 12;
  }
}

/// Text in which another number takes the place of one stays what it is.
std::size_t with_another_number(std::uint8_t* data, std::size_t size, std::size_t most,
                                unsigned seed) {
  static constexpr std::string_view numbers[] = {"0",          "2",       "2.5",   "17.25", "30",
                                                 "0.00390625", "1048576", "65536", "1e308"};
  const std::string_view digits = "0123456789.";
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t begin = text.find_first_of(digits.substr(0, 10), seed % (size + 1));
  if (begin == std::string_view::npos) return size;
  const std::size_t end = std::min(text.find_first_not_of(digits, begin), size);
  const std::string_view number = numbers[seed / 16 % std::size(numbers)];
  if (size - (end - begin) + number.size() > most) return size;
  std::memmove(data + begin + number.size(), data + end, size - end);
  std::memcpy(data + begin, number.data(), number.size());
  return size - (end - begin) + number.size();
}

/// Mutations that leave the format would test another parser, or none.
std::size_t return_to_format(std::uint8_t* data, std::size_t size, std::size_t most,
                             unsigned seed) {
  if (!is_of_format({data, size})) {
    const std::vector<Signature> signatures = signatures_of(format);
    const auto [offset, bytes] = signatures[seed % signatures.size()];
    const std::size_t end = offset + bytes.size();
    if (end > most) return size;
    if (size < end) std::memset(data + size, 0, end - size);
    std::memcpy(data + offset, bytes.data(), bytes.size());
    size = std::max(size, end);
  }
  if (format == "PNG" && seed % 16 != 0) mend_png_sums({data, size});
  return size;
}

}  // namespace
}  // namespace meander::io

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  const bool is_text = meander::io::signatures_of(meander::io::format).empty();
  if (is_text && seed % 4 != 0) return meander::io::with_another_number(data, size, most, seed);
  size = LLVMFuzzerMutate(data, size, most);
  return meander::io::return_to_format(data, size, most, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  meander::io::run({data, size});
  return 0;
}
