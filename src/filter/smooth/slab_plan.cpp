// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/smooth/slabs.hpp"

#include <algorithm>

#include "core/message.hpp"
#include "engine/backend.hpp"
#include "filter/check.hpp"
#include "filter/smooth/design.hpp"
#include "filter/smooth/run.hpp"

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
std::int64_t states_of(const SmoothDesign& design, const Device& device, int layers) {
  std::int64_t states = 0;
  for (const auto& filter : design.filters[static_cast<std::size_t>(design.axes[0])]) {
    if (filter && !filter->is_fir())
      states += layers * device.backend().state_numbers(filter->recurrence);
  }
  return states;
}

}  // namespace

bool filters_along_slabs(const SmoothDesign& design) {
  return !design.axes.empty() && design.axes[0] == SlabAxis(design.input.shape).axis;
}

namespace {

/// Bytes of one slice of each image that is held, added up.
struct SliceBytes {
  std::int64_t input;   ///< What is read and made of it before the first pass.
  std::int64_t first;   ///< What the first pass makes.
  std::int64_t beside;  ///< What the other passes need.
  std::int64_t output;
};

SliceBytes slice_bytes(const SmoothDesign& design, const Device& device, bool with_mask) {
  const Description slice = SlabAxis(design.input.shape).with_length(design.input, 1);
  const PixelType type = design.output.type;
  const int channels = slice.channels;
  const auto bytes = [&](PixelType of, int count) { return bytes_of(slice, of, count); };
  const std::int64_t layers = bytes(type, channels) * (design.normalised ? 2 : 1);
  SliceBytes all{.input = padded_bytes(slice),
                 .first = layers,
                 .beside = 0,
                 .output = bytes(type, design.output.channels)};
  if (with_mask) all.input += bytes(PixelType::f64, 1) + bytes(type, 1);  // of whatever type
  if (design.normalised) {
    all.input += layers + bytes(type, 1);
  } else if (readable_type(slice.type) != slice.type) {
    all.input += bytes(readable_type(slice.type), channels);
  }
  if (SmoothRun(design, device).needs_scratch(true)) {
    all.beside += bytes(type, design.components.size() == 1 ? channels : 1);
  }
  if (design.fold) all.beside += bytes(type, 1);
  return all;
}

int count_tracks(const SmoothDesign& design, int layers) {
  int tracks = 0;
  for (const auto& group : design.groups) {
    const int order = design.order(group[0], design.axes[0]);
    if (!design.filter(design.axes[0], order).is_fir()) tracks += layers;
  }
  return tracks;
}

}  // namespace

SlabPlan plan_slabs(const SmoothDesign& design, const Device& device, bool with_mask,
                    std::int64_t memory_bytes) {
  const SlabAxis along(design.input.shape);
  const int layers = design.normalised ? 2 : 1;
  SlabPlan plan{.length = length_along(design.input.shape, along.axis)};
  if (filters_along_slabs(design)) {
    plan.halo = halo_of(design);
    plan.tracks = count_tracks(design, layers);
  }
  SliceBytes slice = slice_bytes(design, device, with_mask);
  if (plan.halo > 0) {
    // With what lies beyond the ends an input is put together, as it is smoothed at most, of pieces
    // no longer than the halo.
    plan.fixed = plan.halo * slice.input;
    slice.input = std::max(slice.input, slice.first);
  }
  // An FIR filter takes a panel of the slab's height and its halo for each thread.
  const std::int64_t panel = plan.halo > 0 ? panel_bytes(design, device) : 0;
  plan.fixed += scratch_bytes(design, device, along.axis) +
                2 * plan.halo * (slice.input + slice.first + panel);
  if (plan.tracks > 0) {
    plan.fixed += slice.input + states_of(design, device, layers) * slice.first / layers;
  }
  plan.each = slice.input + slice.first + slice.beside + slice.output + panel;
  const std::int64_t most = std::max<std::int64_t>(1, largest_slab / plan.each);
  plan.height = std::min({(memory_bytes - plan.fixed) / plan.each, most, plan.length});
  if (plan.height >= 1) return plan;
  throw OutOfMemory(message("smoothing slab by slab needs ", plan.fixed + plan.each,
                            " bytes for one slice or row, but slabs may take ", memory_bytes,
                            " bytes of the budget"));
}

SmoothSlabs plan_smooth_slabs(const SmoothStream& stream, const SmoothOptions& options,
                              const Device& device) {
  const bool with_mask = static_cast<bool>(stream.read_mask);
  const SmoothDesign design = design_smooth(stream.image, options, with_mask);
  check_device(design.output.type, device);
  const SlabPlan plan = plan_slabs(design, device, with_mask, stream.memory_bytes);
  Description spilled = design.output;
  spilled.channels = design.input.channels;
  return {.height = plan.height,
          .slabs = (plan.length + plan.height - 1) / plan.height,
          .bytes = plan.fixed + plan.height * plan.each,
          .spill_bytes = plan.tracks > 0 ? SlabSpill::bytes(spilled, plan.tracks) : 0};
}

}  // namespace meander
