// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <vector>

#include "backend/cpu/engines.hpp"
#include "backend/cpu/isa.hpp"
#include "core/parallel_for.hpp"

namespace meander::cpu {
namespace {

using engine::Partial;

constexpr std::int64_t chunks_per_task = 16;

Partial reduce_chunk(const engine::View& in, const engine::ReduceChunks::Chunk& chunk,
                     double shift) {
  Partial partial = engine::empty_partial();
  const auto reduce_row = kernels().reduce_row[static_cast<std::size_t>(in.type)];
  const std::int64_t skip = chunk.first_column * static_cast<std::int64_t>(size_of(in.type));
  for (std::int64_t row = chunk.first_row; row < chunk.last_row; ++row) {
    reduce_row(in.host_row(row) + skip, chunk.last_column - chunk.first_column, shift, &partial);
  }
  return partial;
}

/// Pairwise: the error grows with the logarithm of the number of chunks.
Partial pairwise(const Partial* partials, std::size_t count) {
  if (count == 1) return partials[0];
  const std::size_t half = count / 2;
  return combined(pairwise(partials, half), pairwise(partials + half, count - half));
}

}  // namespace

engine::Sums reduce(const engine::View& in, double shift) {
  const engine::ReduceChunks chunks(in);
  std::vector<Partial> partials(static_cast<std::size_t>(chunks.count()));
  parallel_for((chunks.count() + chunks_per_task - 1) / chunks_per_task, [&](std::int64_t task) {
    const std::int64_t end = std::min((task + 1) * chunks_per_task, chunks.count());
    for (std::int64_t i = task * chunks_per_task; i < end; ++i) {
      partials[static_cast<std::size_t>(i)] = reduce_chunk(in, chunks.chunk(i), shift);
    }
  });
  return engine::sums_of(pairwise(partials.data(), partials.size()));
}

}  // namespace meander::cpu
