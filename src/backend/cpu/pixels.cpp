// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <vector>

#include "backend/cpu/engines.hpp"
#include "backend/cpu/isa.hpp"
#include "backend/cpu/row_tasks.hpp"
#include "core/parallel_for.hpp"

namespace meander::cpu {

void convert(const engine::View& in, const engine::View& out, const engine::Affine& map) {
  const auto from = static_cast<std::size_t>(in.type);
  const auto to = static_cast<std::size_t>(out.type);
  const auto convert_row =
      map.is_identity() ? kernels().copy_row[from][to] : kernels().affine_row[from][to];
  for_each_row(in, [&](std::int64_t row) {
    convert_row(in.host_row(row), out.host_row(row), in.shape.x, map.scale, map.offset);
  });
}

void pointwise(engine::Pointwise operation, const engine::View& a, const engine::View& b,
               const engine::View& c, const engine::View& out) {
  const auto pointwise_row =
      kernels()
          .pointwise_row[static_cast<std::size_t>(operation)][out.type == PixelType::f64 ? 1 : 0];
  const bool select = operation == engine::Pointwise::select;
  for_each_row(out, [&](std::int64_t row) {
    pointwise_row(a.host_row(row), b.host_row(row), select ? c.host_row(row) : b.host_row(row),
                  out.host_row(row), out.shape.x);
  });
}

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

/// Where a row has numbers that are not finite the chunk is looked at number by number.
Partial squares_of_chunk(const engine::View& in, const engine::ReduceChunks::Chunk& chunk) {
  Partial partial = engine::empty_partial();
  const auto squares_row = kernels().squares_row[in.type == PixelType::f64 ? 1 : 0];
  const std::int64_t skip = chunk.first_column * static_cast<std::int64_t>(size_of(in.type));
  for (std::int64_t row = chunk.first_row; row < chunk.last_row; ++row) {
    const std::int64_t count = chunk.last_column - chunk.first_column;
    if (!squares_row(in.host_row(row) + skip, count, &partial)) return reduce_chunk(in, chunk, 0);
  }
  return partial;
}

/// Pairwise: the error grows with the logarithm of the number of chunks.
Partial pairwise(const Partial* partials, std::size_t count) {
  if (count == 1) return partials[0];
  const std::size_t half = count / 2;
  return combined(pairwise(partials, half), pairwise(partials + half, count - half));
}

template <class ReduceChunk>
engine::Sums reduce_all(const engine::View& in, ReduceChunk&& reduce_one) {
  const engine::ReduceChunks chunks(in);
  std::vector<Partial> partials(static_cast<std::size_t>(chunks.count()));
  parallel_for((chunks.count() + chunks_per_task - 1) / chunks_per_task, [&](std::int64_t task) {
    const std::int64_t end = std::min((task + 1) * chunks_per_task, chunks.count());
    for (std::int64_t i = task * chunks_per_task; i < end; ++i) {
      partials[static_cast<std::size_t>(i)] = reduce_one(chunks.chunk(i));
    }
  });
  return engine::sums_of(pairwise(partials.data(), partials.size()));
}

}  // namespace

engine::Sums reduce(const engine::View& in, double shift, engine::Wanted what) {
  const bool has_kernel = in.type == PixelType::f32 || in.type == PixelType::f64;
  if (what == engine::Wanted::squares && has_kernel && shift == 0) {
    return reduce_all(in, [&](const auto& chunk) { return squares_of_chunk(in, chunk); });
  }
  return reduce_all(in, [&](const auto& chunk) { return reduce_chunk(in, chunk, shift); });
}

}  // namespace meander::cpu
