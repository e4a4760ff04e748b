// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <bit>
#include <cmath>
#include <cstring>

#include "backend/opencl/engines.hpp"
#include "backend/opencl/reduce_text.hpp"
#include "core/message.hpp"

namespace meander::opencl {
namespace {

constexpr const char* operation = "reduce";

/// Eight bytes that are a double, or two floats to be added where the device has no doubles.
struct Wide {
  cl_float value, rest;
  static Wide of(double number, bool has_float64) {
    if (has_float64) return std::bit_cast<Wide>(number);
    return {static_cast<cl_float>(number), 0};
  }
  double as_double(bool has_float64) const {
    if (has_float64) return std::bit_cast<double>(*this);
    return static_cast<double>(value) + static_cast<double>(rest);
  }
};

/// `partial` in reduce.cl.
struct Partial {
  Wide least, greatest, sum, magnitudes, squares;
  cl_long integer_sum, integer_magnitudes, integer_squares;
  cl_long finite, nonfinite;
  cl_long exponent;
};
static_assert(sizeof(Partial) == 11 * 8);

/// Of an integer type the wide sums are 0, of a float type the integer ones.
engine::Sums sums_of(const Partial& all, bool has_float64) {
  const auto total = [&](cl_long integer, const Wide& wide, cl_long exponent) {
    return static_cast<double>(integer) +
           std::ldexp(wide.as_double(has_float64), static_cast<int>(exponent));
  };
  return {.min = all.least.as_double(has_float64),
          .max = all.greatest.as_double(has_float64),
          .sum = total(all.integer_sum, all.sum, all.exponent),
          .sum_of_magnitudes = total(all.integer_magnitudes, all.magnitudes, all.exponent),
          .sum_of_squares = total(all.integer_squares, all.squares, 2 * all.exponent),
          .finite = all.finite,
          .nonfinite = all.nonfinite};
}

}  // namespace

engine::MemoryPtr reduce(Session& session, engine::MemoryPool& pool, const engine::View& in,
                         double shift) {
  require_type(session, in.type);
  const engine::ReduceChunks chunks(in);
  const std::string options = message(common_options(session), " -D IN=", name_of(in.type),
                                      is_integer(in.type) ? " -D INTEGER" : "");
  const Kernel reduce_chunks =
      session.programs.kernel(operation, reduce_text, options, "reduce_chunks");
  const Kernel combine =
      session.programs.kernel(operation, reduce_text, options, "combine_partials");

  const cl_long count = chunks.count();
  const auto partials = pool.take(static_cast<std::size_t>(count) * sizeof(Partial));
  auto result = pool.take(sizeof(Partial));
  launch(session, operation, {in.memory, partials}, reduce_chunks, {count, 1}, buffer_of(in.memory),
         Layout(in), cl_long{in.shape.x}, cl_long{chunks.rows}, cl_long{chunks.rows_per_chunk},
         cl_long{chunks.chunks_per_row}, cl_long{engine::ReduceChunks::chunk_numbers}, count,
         Wide::of(shift, session.has_float64()), buffer_of(partials));
  const auto depth = static_cast<cl_int>(std::bit_width(static_cast<std::uint64_t>(count - 1)));
  launch(session, operation, {partials, result}, combine, {1, 1}, buffer_of(partials), count, depth,
         buffer_of(result));
  return result;
}

engine::Sums fetch(Session& session, const engine::MemoryPtr& reduction) {
  Partial all;
  session.queue.wait_and("fetch", [&](cl_command_queue queue) {
    return api().clEnqueueReadBuffer(queue, buffer_of(reduction), CL_TRUE, 0, sizeof(all), &all, 0,
                                     nullptr, nullptr);
  });
  return sums_of(all, session.has_float64());
}

}  // namespace meander::opencl
