// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/file/size_check.hpp"

#include <limits>
#include <optional>

#include "core/host_memory.hpp"

namespace meander::io {
namespace {

std::optional<std::int64_t> bytes_of(const Description& claim, const StoredSize& stored) {
  std::int64_t product = stored.number_bytes;
  for (const std::int64_t factor :
       {claim.shape.x, claim.shape.y, claim.shape.z, std::int64_t{claim.channels}, stored.frames}) {
    if (__builtin_mul_overflow(product, factor, &product)) return std::nullopt;
  }
  return product;
}

StoredSize in_memory(const Description& claim) {
  return {.number_bytes = static_cast<std::int64_t>(size_of(claim.type))};
}

std::int64_t budget() {
  const std::uint64_t bytes = engine::host_pool()->use().budget;
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return static_cast<std::int64_t>(std::min(bytes, most));
}

std::string in_words(const Description& claim, std::int64_t frames) {
  return message(to_string(claim.shape), " pixels of ", claim.channels, " ", name_of(claim.type),
                 frames > 1 ? message(" in each of ", frames, " frames") : std::string());
}

std::string in_words(const std::optional<std::int64_t>& bytes) {
  return bytes ? std::to_string(*bytes) : std::string("over 2^63");
}

void check_budget(const InputFile& file, const Description& claim, const StoredSize& size) {
  const auto bytes = bytes_of(claim, size);
  if (bytes && *bytes <= budget()) return;
  throw OutOfMemory(message(file.path().string(), ": claims ", in_words(claim, size.frames),
                            ", which need ", in_words(bytes),
                            " bytes, beyond the memory budget of ", budget(), " bytes"));
}

}  // namespace

void check_budget(const InputFile& file, const Description& claim) {
  check_budget(file, claim, in_memory(claim));
}

void check_buffer(const InputFile& file, std::int64_t bytes) {
  if (bytes <= budget()) return;
  throw OutOfMemory(message(file.path().string(), ": needs a buffer of ", bytes,
                            " bytes to decode it, beyond the memory budget of ", budget(),
                            " bytes"));
}

void check_claim(const InputFile& file, const Description& claim, std::int64_t available) {
  check_claim(file, claim, in_memory(claim), available);
}

void check_claim(const InputFile& file, const Description& claim, const StoredSize& stored,
                 std::int64_t available) {
  const auto bytes = bytes_of(claim, stored);
  if (bytes && *bytes <= available) return;
  StoredSize size = in_memory(claim);
  size.frames = stored.frames;
  check_budget(file, claim, size);
  file.malformed("is too short for the ", in_words(claim, stored.frames),
                 " it claims: found room for ", available, " bytes, expected ", in_words(bytes));
}

std::int64_t expanded(std::int64_t file_bytes, std::int64_t ratio) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(file_bytes, ratio, &product)) return product;
  return std::numeric_limits<std::int64_t>::max();
}

}  // namespace meander::io
