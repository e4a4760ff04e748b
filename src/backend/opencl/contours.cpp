// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/contour_text.hpp"
#include "backend/opencl/engines.hpp"
#include "backend/opencl/snake_text.hpp"
#include "core/message.hpp"

namespace meander::opencl {
namespace {

using engine::CumulatedSums;
using engine::MemoryPtr;
using engine::RegionSums;
using engine::View;

/// `grid` in contour.cl.
struct Grid {
  explicit Grid(const CumulatedSums& sums)
      : image_x(sums.image.x),
        image_y(sums.image.y),
        block(sums.block),
        step(sums.step),
        columns(sums.columns()),
        rows(sums.rows()) {}
  cl_long image_x, image_y, block, step, columns, rows;
};

// What kernels read and write as rows of 64-bit words.
static_assert(sizeof(engine::ContourEdge) == 4 * sizeof(cl_long));
static_assert(sizeof(engine::ContourTriangle) == 6 * sizeof(cl_long));
static_assert(sizeof(RegionSums) == 3 * sizeof(cl_ulong));

/// `pixels` is the type of those that the kernel reads; any integer type where it reads none.
Kernel contour_kernel(Session& session, const char* operation, PixelType pixels,
                      const char* entry) {
  return session.programs.kernel(operation, contour_text, {static_cast<int>(pixels)}, entry, [&] {
    return message(common_options(session), " -D IN=", name_of(pixels),
                   " -D MOST_ITEMS=", Kernel::largest_group,
                   " -D GRID_STEPS=", grid_steps_per_pixel);
  });
}

constexpr PixelType no_pixels = PixelType::u8;

void cumulate_grid(Session& session, const View& pixels, const CumulatedSums& sums) {
  constexpr const char* operation = "cumulate";
  const Kernel stretches = contour_kernel(session, operation, pixels.type, "sum_stretches");
  const Kernel add_up = contour_kernel(session, operation, pixels.type, "add_up");
  const Grid grid(sums);
  launch(session, operation, stretches, {sums.words_in_row() / 2, grid.rows},
         buffer_of(pixels.memory), Layout(pixels), buffer_of(sums.sums.memory), Layout(sums.sums),
         grid);
  launch(session, operation, add_up, {grid.rows, 1}, buffer_of(sums.sums.memory), Layout(sums.sums),
         grid);
}

/// Shapes from the host to the device, a kernel over them, one group each, and its results back.
/// `start` launches the kernel.
template <class Shape, class Start>
void sum_shapes(Session& session, engine::MemoryPool& pool, const char* operation,
                std::span<const Shape> shapes, RegionSums* results, Start start) {
  if (shapes.empty()) return;
  const MemoryPtr in = pool.take(shapes.size_bytes());
  const std::size_t bytes = shapes.size() * sizeof(RegionSums);
  const MemoryPtr out = pool.take(bytes);
  session.queue.upload(operation, buffer_of(in), shapes.data(), shapes.size_bytes());
  start(in, static_cast<cl_long>(shapes.size()), out);
  session.queue.download(operation, buffer_of(out), results, bytes);
  session.queue.finish();
}

}  // namespace

void cumulate(Session& session, const View& pixels, const CumulatedSums& rows,
              const CumulatedSums& blocks) {
  if (rows.sums.memory) cumulate_grid(session, pixels, rows);
  if (blocks.sums.memory) cumulate_grid(session, pixels, blocks);
}

void coarsen(Session& session, const CumulatedSums& fine, const CumulatedSums& coarse) {
  constexpr const char* operation = "coarsen";
  const Kernel kernel = contour_kernel(session, operation, no_pixels, "coarsen");
  launch(session, operation, kernel, {coarse.columns() + 1, coarse.rows()},
         buffer_of(fine.sums.memory), Layout(fine.sums), Grid(fine), buffer_of(coarse.sums.memory),
         Layout(coarse.sums), Grid(coarse));
}

void sum_edges(Session& session, engine::MemoryPool& pool, const CumulatedSums& sums,
               std::span<const engine::ContourEdge> edges, RegionSums* results) {
  constexpr const char* operation = "sum edges";
  const bool reads_pixels = sums.step > 1;
  const View& pixels = reads_pixels ? sums.pixels : sums.sums;
  sum_shapes(session, pool, operation, edges, results,
             [&](const MemoryPtr& in, cl_long count, const MemoryPtr& out) {
               const Kernel kernel = contour_kernel(
                   session, operation, reads_pixels ? pixels.type : no_pixels, "sum_edges");
               launch(session, operation, kernel, one_group_each(kernel, count),
                      buffer_of(sums.sums.memory), Layout(sums.sums), buffer_of(pixels.memory),
                      Layout(pixels), Grid(sums), buffer_of(in), count, buffer_of(out));
             });
}

void sum_triangles(Session& session, engine::MemoryPool& pool, const View& pixels,
                   std::span<const engine::ContourTriangle> triangles, RegionSums* results) {
  constexpr const char* operation = "sum triangles";
  sum_shapes(session, pool, operation, triangles, results,
             [&](const MemoryPtr& in, cl_long count, const MemoryPtr& out) {
               const Kernel kernel =
                   contour_kernel(session, operation, pixels.type, "sum_triangles");
               launch(session, operation, kernel, one_group_each(kernel, count),
                      buffer_of(pixels.memory), Layout(pixels), cl_long{pixels.shape.x},
                      cl_long{pixels.shape.y}, buffer_of(in), count, buffer_of(out));
             });
}

namespace {

using engine::MemoryPtr;

constexpr const char* operation = "move contours";

// What snake.cl takes for granted.
static_assert(static_cast<int>(engine::ContourEnds::closed) == 0);
static_assert(static_cast<int>(engine::ContourEnds::fixed) == 2);
static_assert(engine::weights_of_open_point == 5);

/// Numbers of a batch on the device.
template <class T>
MemoryPtr uploaded(Session& session, engine::MemoryPool& pool, std::span<const T> numbers) {
  const MemoryPtr block = pool.take(numbers.size_bytes());
  session.queue.upload(operation, buffer_of(block), numbers.data(), numbers.size_bytes());
  return block;
}

}  // namespace

void move_contours(Session& session, engine::MemoryPool& pool, const engine::View& force,
                   const engine::MovingBatch& batch) {
  if (batch.contours.empty() || batch.steps == 0) return;
  const auto kernel_named = [&](const char* name) {
    return session.programs.kernel(operation, snake_text, {}, name,
                                   [&] { return common_options(session); });
  };
  const Kernel find = kernel_named("find_changes"), solve = kernel_named("solve_changes");
  const MemoryPtr contours = uploaded(session, pool, batch.contours);
  const MemoryPtr weights = uploaded(session, pool, batch.weights);
  const MemoryPtr x = uploaded<float>(session, pool, batch.x);
  const MemoryPtr y = uploaded<float>(session, pool, batch.y);
  const MemoryPtr change_x = pool.take(batch.x.size_bytes());
  const MemoryPtr change_y = pool.take(batch.y.size_bytes());
  const auto count = static_cast<cl_long>(batch.contours.size());
  for (std::int64_t step = 0; step < batch.steps; ++step) {
    launch(session, operation, find, one_group_each(find, count), buffer_of(force.memory),
           Layout(force), cl_long{force.shape.x}, buffer_of(contours), count, buffer_of(x),
           buffer_of(y), buffer_of(change_x), buffer_of(change_y));
    launch(session, operation, solve, one_group_each(solve, count), buffer_of(contours), count,
           buffer_of(weights), buffer_of(x), buffer_of(y), buffer_of(change_x),
           buffer_of(change_y));
  }
  session.queue.download(operation, buffer_of(x), batch.x.data(), batch.x.size_bytes());
  session.queue.download(operation, buffer_of(y), batch.y.data(), batch.y.size_bytes());
  session.queue.finish();
}

}  // namespace meander::opencl
