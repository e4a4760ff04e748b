// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "backend/opencl/convert_text.hpp"
#include "backend/opencl/copy_text.hpp"
#include "backend/opencl/engines.hpp"
#include "backend/opencl/pointwise_text.hpp"
#include "backend/opencl/reduce_text.hpp"
#include "core/message.hpp"

namespace meander::opencl {
namespace {

constexpr const char* convert_operation = "convert";

void copy(Session& session, const engine::View& in, const engine::View& out) {
  constexpr const char* bits_of_size[] = {"", "uchar", "ushort", "", "uint", "", "", "", "ulong"};
  const Kernel kernel = session.programs.kernel(
      convert_operation, copy_text, {static_cast<int>(size_of(in.type))}, "copy_pixels", [&] {
        return message(common_options(session), " -D BITS=", bits_of_size[size_of(in.type)]);
      });
  launch(session, convert_operation, kernel, items_for(in), buffer_of(in.memory), Layout(in),
         buffer_of(out.memory), Layout(out), cl_long{in.shape.x}, cl_long{in.rows()});
}

/// `Real` is the type of the arithmetic, and of the map as the kernel takes it.
template <class Real>
void map_pixels(Session& session, const engine::View& in, const engine::View& out,
                const engine::Affine& map, const char* real) {
  const Kernel kernel = session.programs.kernel(
      convert_operation, convert_text, {static_cast<int>(in.type), static_cast<int>(out.type)},
      "convert_pixels", [&] {
        return message(common_options(session), " -D IN=", name_of(in.type),
                       " -D OUT=", name_of(out.type), " -D REAL=", real);
      });
  launch(session, convert_operation, kernel, items_for(in), buffer_of(in.memory), Layout(in),
         buffer_of(out.memory), Layout(out), cl_long{in.shape.x}, cl_long{in.rows()},
         cl_int{map.is_identity()}, static_cast<Real>(map.scale), static_cast<Real>(map.offset));
}

}  // namespace

void convert(Session& session, const engine::View& in, const engine::View& out,
             const engine::Affine& map) {
  if (in.type == out.type && map.is_identity()) return copy(session, in, out);
  require_type(session, in.type);
  require_type(session, out.type);
  if (in.type == PixelType::f64 || out.type == PixelType::f64) {
    map_pixels<cl_double>(session, in, out, map, "double");
  } else {
    map_pixels<cl_float>(session, in, out, map, "float");
  }
}

void pointwise(Session& session, engine::Pointwise operation, const engine::View& a,
               const engine::View& b, const engine::View& c, const engine::View& out) {
  constexpr const char* name = "pointwise";
  require_type(session, out.type);
  const Kernel kernel = session.programs.kernel(
      name, pointwise_text, {static_cast<int>(out.type)}, "combine_pixels",
      [&] { return message(common_options(session), " -D REAL=", real_name(out.type)); });
  const engine::View& third = c.memory != nullptr ? c : a;  // an argument must be some buffer
  launch(session, name, kernel, items_for(out), static_cast<cl_int>(operation), buffer_of(a.memory),
         Layout(a), buffer_of(b.memory), Layout(b), buffer_of(third.memory), Layout(third),
         buffer_of(out.memory), Layout(out), cl_long{out.shape.x}, cl_long{out.rows()});
}

namespace {

constexpr const char* reduce_operation = "reduce";

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

constexpr std::int64_t lanes = 8;
/// Of a running sum, whichever kind of numbers it adds up.
constexpr std::size_t lane_bytes = 48;

/// `cut` in reduce.cl.
struct Cut {
  Cut(const engine::ReduceChunks& chunks, std::size_t group)
      : width(chunks.width),
        rows(chunks.rows),
        rows_per_chunk(chunks.rows_per_chunk),
        chunks_per_row(chunks.chunks_per_row),
        count(chunks.count()),
        rows_at_a_time(static_cast<cl_int>(std::bit_floor(std::max<std::size_t>(8, group) / 8))) {
    together = rows_at_a_time;
    while (together > 1 && rows_at_a_time / together < rows_per_chunk) together /= 2;
    while ((count + nodes() - 1) >> depth > together) ++depth;
  }
  std::int64_t nodes() const { return std::int64_t{1} << depth; }
  cl_long width, rows, rows_per_chunk, chunks_per_row;
  cl_long chunk_numbers = engine::ReduceChunks::chunk_numbers;
  cl_long count;
  cl_int together, rows_at_a_time, depth = 0, unused = 0;
};

/// Partials that a group adds up.
constexpr std::int64_t most_held = 64;

/// Where `nodes` partials begin, a power of two: behind those that they are added up to. The result
/// is the first of all.
std::int64_t place_of(std::int64_t nodes) {
  std::int64_t place = 0;
  while (nodes > 1) {
    nodes = std::max<std::int64_t>(1, nodes / most_held);
    place += nodes;
  }
  return place;
}

const char* only(engine::Wanted what) {
  return what == engine::Wanted::squares ? " -D ONLY_SQUARES"
         : what == engine::Wanted::range ? " -D ONLY_RANGE"
                                         : "";
}

}  // namespace

engine::MemoryPtr reduce(Session& session, engine::MemoryPool& pool, const engine::View& in,
                         double shift, engine::Wanted what) {
  require_type(session, in.type);
  const auto kernel = [&](const char* entry) {
    return session.programs.kernel(reduce_operation, reduce_text,
                                   {static_cast<int>(in.type), static_cast<int>(what)}, entry, [&] {
                                     return message(
                                         common_options(session), " -D IN=", name_of(in.type),
                                         is_integer(in.type) ? " -D INTEGER" : only(what));
                                   });
  };
  const Kernel reduce_chunks = kernel("reduce_chunks"), combine = kernel("combine_partials");
  const Cut cut(engine::ReduceChunks(in), reduce_chunks.group);
  const auto partials =
      pool.take(static_cast<std::size_t>(place_of(cut.nodes()) + cut.nodes()) * sizeof(Partial));
  const auto groups = [](const Kernel& of, std::int64_t count) -> std::array<std::int64_t, 2> {
    return {static_cast<std::int64_t>(of.group) * count, 1};
  };
  const auto rows = static_cast<std::size_t>(cut.rows_at_a_time);
  launch(session, reduce_operation, reduce_chunks, groups(reduce_chunks, cut.nodes()),
         buffer_of(in.memory), Layout(in), cut, Wide::of(shift, session.has_float64()),
         buffer_of(partials), cl_long{place_of(cut.nodes())}, LocalBytes{rows * lanes * lane_bytes},
         LocalBytes{rows * sizeof(Partial)}, LocalBytes{rows * sizeof(cl_double)});
  for (std::int64_t nodes = cut.nodes(); nodes > 1;) {
    const std::int64_t held = std::min(nodes, most_held), left = nodes / held;
    launch(session, reduce_operation, combine, groups(combine, left), buffer_of(partials),
           cl_long{place_of(nodes)}, static_cast<cl_int>(held), cl_long{place_of(left)},
           LocalBytes{static_cast<std::size_t>(held) * sizeof(Partial)});
    nodes = left;
  }
  return partials;
}

void fetch(Session& session, std::span<const engine::MemoryPtr> reductions, engine::Sums* results) {
  std::vector<Partial> all(reductions.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    session.queue.download("fetch", buffer_of(reductions[i]), &all[i], sizeof(Partial));
  }
  session.queue.finish();
  for (const Partial& one : all) *results++ = sums_of(one, session.has_float64());
}

}  // namespace meander::opencl
