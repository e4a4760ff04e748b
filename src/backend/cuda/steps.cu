// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Several steps of a rule in one pass over memory; see src/backend/steps. The shapes of tiles are
// those that were fastest of a dozen on an H200; see docs/design.md.
#include "backend/cuda/steps.cuh"

#include <algorithm>

namespace meander::cuda {
namespace {

using steps::Column;

/// A kernel that comes after another of its kind is started while that one still ends.
__device__ __forceinline__ void wait_for_last_pass() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

template <class Code>
__device__ typename Code::cells cells_of(const Layout& view, unsigned slice) {
  return {view.first + slice * view.slice_pitch, view.row_pitch, view.slice_pitch,
          view.channel_pitch};
}

template <class Code, int Blocks>
__global__ void __launch_bounds__(Code::threads, Blocks)
    step_tiles(Layout in, Layout fields, Layout out, grid_facts facts, int margin_x, int margin_y,
               const __grid_constant__ step_numbers n) {
  extern __shared__ float4 room[];
  wait_for_last_pass();
  Code::step_plane(cells_of<Code>(in, blockIdx.z), cells_of<Code>(fields, blockIdx.z),
                   cells_of<Code>(out, blockIdx.z),
                   static_cast<int>(blockIdx.x) * (Code::WIDTH - 2 * margin_x) - margin_x,
                   static_cast<int>(blockIdx.y) * (Code::HEIGHT - 2 * margin_y) - margin_y,
                   margin_x, margin_y, &facts, &n, &room->x);
}

template <class Code>
__global__ void __launch_bounds__(Code::threads, 1)
    step_columns(Layout in, Layout fields, Layout out, grid_facts facts, Column tile,
                 const __grid_constant__ step_numbers n) {
  extern __shared__ float4 room[];
  const int first = static_cast<int>(blockIdx.z) * tile.slices;
  const int end = first + tile.slices < facts.depth ? first + tile.slices : facts.depth;
  const int width = tile.lanes * Code::columns - 2 * tile.margin_x;
  const int height = tile.strips - 2 * tile.margin_y;
  wait_for_last_pass();
  Code::step_volume(cells_of<Code>(in, 0), cells_of<Code>(fields, 0), cells_of<Code>(out, 0),
                    static_cast<int>(blockIdx.x) * width - tile.margin_x,
                    static_cast<int>(blockIdx.y) * height - tile.margin_y, tile.margin_x,
                    tile.margin_y, tile.lanes, tile.strips, Code::threads, first, end, &facts, &n,
                    &room->x);
}

template <class Code>
grid_facts facts_of(const FusedPass& pass) {
  constexpr int bytes = Code::run_bytes < 16 ? Code::run_bytes : 16;
  const bool aligned =
      is_aligned(pass.in, bytes) && is_aligned(pass.fields, bytes) && is_aligned(pass.out, bytes);
  return {static_cast<int>(pass.in.width), static_cast<int>(pass.in.height),
          static_cast<int>(pass.in.depth), aligned};
}

/// Once for all passes, none of which asks for more than `most_bytes`. A kernel waits for the
/// last pass by itself where it was compiled for a device that can: code for an older one, which
/// the driver translates, does not.
template <class Kernel>
cudaError_t prepare(FusedPass& pass, Kernel kernel, std::size_t most_bytes) {
  cudaFuncAttributes facts{};
  const cudaError_t code = cudaFuncGetAttributes(&facts, kernel);
  if (code != cudaSuccess) return code;
  pass.may_overlap = facts.ptxVersion >= 90 && facts.binaryVersion >= 90;
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(most_bytes));
}

/// Starts a kernel for a pass; `rest` are its arguments from the grid's facts on.
template <class Kernel, class... Rest>
cudaError_t start(cudaStream_t stream, FusedPass& pass, const BlockRoom& room, Kernel kernel,
                  dim3 grid, int threads, std::size_t bytes, const Rest&... rest) {
  // Two blocks side by side would take turns while processors are left without any.
  const std::size_t alone =
      std::max(bytes, std::min(room.shared_bytes, room.shared_bytes / 2 + 2048));
  if (grid.x * grid.y * grid.z <= static_cast<unsigned>(room.processors)) bytes = alone;
  if (pass.is_first) {
    const cudaError_t code = prepare(pass, kernel, alone);
    if (code != cudaSuccess) return code;
  }
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim = grid;
  launch.blockDim = dim3(static_cast<unsigned>(threads));
  launch.dynamicSmemBytes = bytes;
  launch.stream = stream;
  launch.attrs = &early;
  launch.numAttrs = pass.may_overlap && !pass.is_first ? 1 : 0;
  return cudaLaunchKernelEx(&launch, kernel, pass.in, pass.fields, pass.out, rest..., pass.numbers);
}

template <class Code>
dim3 tiles_of(const Layout& view, int steps) {
  const int margin_x = steps::whole(steps, Code::columns);
  return dim3(steps::parts(static_cast<int>(view.width), Code::WIDTH - 2 * margin_x),
              steps::parts(static_cast<int>(view.height), Code::HEIGHT - 2 * steps),
              static_cast<unsigned>(view.depth));
}

template <class Code, int Blocks>
cudaError_t launch_plane(cudaStream_t stream, FusedPass& pass, const BlockRoom& room) {
  const int steps = pass.numbers.steps, margin_x = steps::whole(steps, Code::columns);
  return start(stream, pass, room, step_tiles<Code, Blocks>, tiles_of<Code>(pass.in, steps),
               Code::threads, Code::plane_bytes, facts_of<Code>(pass), margin_x, steps);
}

template <class Code>
cudaError_t launch_volume(cudaStream_t stream, FusedPass& pass, const BlockRoom& room) {
  const grid_facts facts = facts_of<Code>(pass);
  const Column tile = steps::column_of(facts.width, facts.height, facts.depth, pass.numbers.steps,
                                       Code::columns, Code::threads, room.processors);
  const dim3 grid(steps::parts(facts.width, tile.lanes * Code::columns - 2 * tile.margin_x),
                  steps::parts(facts.height, tile.strips - 2 * tile.margin_y),
                  steps::parts(facts.depth, tile.slices));
  const int threads = steps::whole(tile.lanes * tile.strips, 32);
  return start(stream, pass, room, step_columns<Code>, grid, threads, Code::volume_bytes, facts,
               tile);
}

/// Whether numbers of 32 bits hold what threads count.
bool is_small(const Layout& view) {
  return view.row_pitch < std::int64_t{1} << 31 && view.height * view.row_pitch < std::int64_t{1}
                                                                                      << 32;
}

constexpr int most_blocks = 65535;  // along y and z

template <class Rule, class Pixel>
FusedKernel plane_kernel(const FusedPass& pass, const BlockRoom& room) {
  constexpr int numbers = Rule::states + Rule::fields;
  constexpr int rows = numbers <= 2 ? 8 : numbers <= 4 ? 4 : 2;
  constexpr int strips = rows == 8 ? 8 : 16, blocks = rows == 8 ? 2 : 1;
  using Any = Steps<Rule, Pixel, false, true, false, 2, 4, 16, 1>;
  if (pass.in.depth > most_blocks || Any::plane_bytes > room.shared_bytes ||
      tiles_of<Any>(pass.in, steps::most_steps).y > most_blocks) {
    return {};
  }
  if constexpr (std::is_same_v<Pixel, float>) {
    using Large = Steps<Rule, Pixel, true, false, false, 4, rows, strips, 1>;
    using Small = Steps<Rule, Pixel, true, false, false, 2, 4, 16, 1>;
    if (steps::is_unit(pass.numbers) && pass.numbers.border != engine::ghost_constant) {
      const dim3 tiles = tiles_of<Large>(pass.in, steps::most_steps);
      const bool fills = std::int64_t{tiles.x} * tiles.y * tiles.z >= room.processors;
      if (fills && Large::plane_bytes <= room.shared_bytes) {
        return {steps::most_steps, launch_plane<Large, blocks>};
      }
      return {steps::most_steps, launch_plane<Small, 1>};
    }
  }
  return {steps::most_steps, launch_plane<Any, 1>};
}

template <class Rule, class Pixel>
FusedKernel volume_kernel(const FusedPass& pass, const BlockRoom& room) {
  constexpr int stages = steps::most_volume_steps, strips = 12;
  using Any = Steps<Rule, Pixel, false, true, true, 4, 1, strips, stages>;
  if (pass.in.height > most_blocks || pass.in.depth >= std::int64_t{1} << 30 ||
      Any::volume_bytes > room.shared_bytes) {
    return {};
  }
  if constexpr (std::is_same_v<Rule, rule_vector_flow_volume>) {
    using Unit = Steps<Rule, Pixel, true, false, true, 4, 1, strips, stages>;
    if (steps::is_unit(pass.numbers) && pass.numbers.border != engine::ghost_constant) {
      return {stages, launch_volume<Unit>};
    }
  }
  return {stages, launch_volume<Any>};
}

template <class Rule, steps::RuleIndex Index, class Pixel>
FusedKernel kernel_of(const FusedPass& pass, const BlockRoom& room) {
  constexpr bool is_float32 = std::is_same_v<Pixel, float>;
  if (steps::is_volume(pass.numbers)) {
    if constexpr (steps::is_fused(Index, is_float32, true)) {
      return volume_kernel<Rule, Pixel>(pass, room);
    }
  } else if constexpr (steps::is_fused(Index, is_float32, false)) {
    return plane_kernel<Rule, Pixel>(pass, room);
  }
  return {};
}

template <class Pixel>
FusedKernel kernel_of_type(int rule, const FusedPass& pass, const BlockRoom& room) {
  using Choose = FusedKernel (*)(const FusedPass&, const BlockRoom&);
  constexpr Choose choices[] = {
#define MEANDER_RULE(name, states, around, fields, parameters) \
  kernel_of<rule_##name, steps::RuleIndex::name, Pixel>,
#include "rules/table.inc"
#undef MEANDER_RULE
  };
  return choices[rule](pass, room);
}

}  // namespace

FusedKernel fused_kernel(int type, int rule, const FusedPass& pass, const BlockRoom& room) {
  if (!is_small(pass.in) || !is_small(pass.fields) || !is_small(pass.out)) return {};
  return visit(type, [&](auto pixel) -> FusedKernel {
    using Pixel = decltype(pixel);
    if constexpr (std::is_same_v<Pixel, float> || std::is_same_v<Pixel, __half> ||
                  std::is_same_v<Pixel, std::int16_t>) {
      return kernel_of_type<Pixel>(rule, pass, room);
    } else {
      return {};
    }
  });
}

}  // namespace meander::cuda
