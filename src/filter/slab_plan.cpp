// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/slab_plan.hpp"

#include <algorithm>

#include "core/message.hpp"
#include "filter/slab_spill.hpp"
#include "filter/smooth_check.hpp"
#include "filter/smooth_memory.hpp"

namespace meander {
namespace {

/// More at a time gains nothing and makes cancelling slow.
constexpr std::int64_t largest_slab = std::int64_t{256} << 20;

std::int64_t halo_of(const SmoothDesign& design) {
  std::int64_t radius = 0;
  for (const auto& filter : design.filters[static_cast<std::size_t>(design.axes[0])]) {
    if (filter && filter->is_fir()) {
      radius = std::max(radius, static_cast<std::int64_t>(filter->weights.size() / 2));
    }
  }
  return radius;
}

/// States that all tracks carry, in slices.
std::int64_t states_of(const SmoothDesign& design, int layers) {
  std::int64_t states = 0;
  for (const auto& filter : design.filters[static_cast<std::size_t>(design.axes[0])]) {
    if (filter && !filter->is_fir()) states += layers * filter->recurrence.states;
  }
  return states;
}

}  // namespace

bool filters_along_slabs(const SmoothDesign& design) {
  return !design.axes.empty() && design.axes[0] == SlabAxis(design.input.shape).axis;
}

SlabPlan plan_slabs(const SmoothDesign& design, const Device& device, bool normalised,
                    bool with_mask, std::int64_t memory_bytes) {
  const SlabAxis along(design.input.shape);
  const Description slice = along.with_length(design.input, 1);
  const int channels = slice.channels;
  const int layers = normalised ? 2 : 1;
  const PixelType type = design.output.type;
  const auto bytes = [&](PixelType of, int count) { return bytes_of(slice, of, count); };

  // The image twice (as read and as put together with what lies beyond it), the mask, and the
  // layers twice for the same reason.
  std::int64_t input = 2 * padded_bytes(slice) + bytes(readable_type(slice.type), channels);
  if (with_mask) input += bytes(PixelType::f64, 1) + bytes(type, 1);
  if (normalised) input += 2 * layers * bytes(type, channels) + bytes(type, 1);
  const std::int64_t first = layers * bytes(type, channels);
  const std::int64_t output = bytes(type, design.output.channels);
  const std::int64_t beside =
      bytes(type, design.components.size() == 1 ? channels : 1) * 2;  // scratch, folded
  SlabPlan plan;
  if (filters_along_slabs(design)) {
    plan.halo = halo_of(design);
    plan.tracks = 0;
    for (const auto& group : design.groups) {
      const int order = design.order(group[0], design.axes[0]);
      if (!design.filter(design.axes[0], order).is_fir()) plan.tracks += layers;
    }
    plan.fixed = states_of(design, layers) * bytes(type, channels) + 2 * input;
  }
  plan.fixed += 2 * plan.halo * (input + first) + scratch_bytes(slice, device);
  plan.each = input + first + output + beside;
  plan.length = length_along(design.input.shape, along.axis);
  const std::int64_t most = std::max<std::int64_t>(1, largest_slab / plan.each);
  plan.height = std::min({(memory_bytes - plan.fixed) / plan.each, most, plan.length});
  if (plan.height >= 1) return plan;
  throw OutOfMemory(message("smoothing slab by slab needs ", plan.fixed + plan.each,
                            " bytes for one slice or row, beyond the budget of ", memory_bytes,
                            " bytes"));
}

SmoothSlabs plan_smooth_slabs(const SmoothStream& stream, const SmoothOptions& options,
                              const Device& device) {
  const SmoothDesign design = design_smooth(stream.image, options);
  const bool with_mask = static_cast<bool>(stream.read_mask);
  const bool normalised = is_normalised(stream.image, options, with_mask);
  check_device(design, device);
  const SlabPlan plan = plan_slabs(design, device, normalised, with_mask, stream.memory_bytes);
  Description spilled = design.output;
  spilled.channels = design.input.channels;
  return {.height = plan.height,
          .slabs = (plan.length + plan.height - 1) / plan.height,
          .bytes = plan.fixed + plan.height * plan.each,
          .spill_bytes = plan.tracks > 0 ? SlabSpill::bytes(spilled, plan.tracks) : 0};
}

}  // namespace meander
