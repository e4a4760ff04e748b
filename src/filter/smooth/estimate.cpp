// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "engine/backend.hpp"
#include "filter/check.hpp"
#include "filter/smooth/design.hpp"
#include "filter/smooth/run.hpp"

namespace meander {
namespace {

bool shares_first_pass(const SmoothDesign& design) {
  return std::ranges::any_of(design.groups, [](const auto& group) { return group.size() > 1; });
}

/// How much longer than recurrences FIR filters take: the first 24 taps cost what a recurrence
/// does.
double taps_factor(const SmoothDesign& design) {
  std::size_t most = 0;
  for (const auto& axis : design.filters) {
    for (const auto& filter : axis) most = std::max(most, filter ? filter->weights.size() : 0);
  }
  return std::max(1.0, static_cast<double>(most) / 24);
}

}  // namespace

std::int64_t bytes_of(Description image, PixelType type, int channels) {
  image.type = type;
  image.channels = channels;
  return padded_bytes(image);
}

std::int64_t panel_bytes(const SmoothDesign& design, const Device& device) {
  return device.backend().lines_held() * static_cast<std::int64_t>(size_of(design.output.type));
}

std::int64_t scratch_bytes(const SmoothDesign& design, const Device& device,
                           std::optional<int> cut) {
  std::int64_t longest = 0;
  for (const int axis : design.axes) {
    for (const auto& filter : design.filters[static_cast<std::size_t>(axis)]) {
      if (!filter) continue;
      const std::int64_t length = axis == cut ? 0 : length_along(design.input.shape, axis);
      const auto taps = static_cast<std::int64_t>(filter->weights.size());
      const bool sum = filter->recurrence.form == engine::Recurrence::Form::sum;
      longest = std::max(longest, (sum ? 2 : 1) * length + taps);
    }
  }
  return panel_bytes(design, device) * (longest + engine::scan_overhead);
}

std::int64_t planes_beside(const SmoothDesign& design, const Device& device) {
  const SmoothRun run(design, device);
  const bool single = design.components.size() == 1;
  const std::int64_t plane = bytes_of(design.output, design.output.type, 1);
  const std::int64_t scratch = run.needs_scratch(design.normalised) ? plane : 0;
  if (design.normalised) return scratch;
  if (single) return scratch * design.output.channels;
  return scratch + plane * (shares_first_pass(design) + design.fold.has_value());
}

std::int64_t estimate_bytes(const Description& image, const SmoothOptions& options,
                            const Device& device, const Description* mask) {
  const SmoothDesign design = design_smooth(image, options, mask != nullptr);
  check_device(design.output.type, device);
  const PixelType type = design.output.type;
  const std::int64_t plane = bytes_of(design.output, type, 1);
  std::int64_t bytes = padded_bytes(image) + padded_bytes(design.output) +
                       planes_beside(design, device) + scratch_bytes(design, device);
  if (mask != nullptr) bytes += padded_bytes(*mask);
  if (design.normalised) {
    bytes += plane * (1 + (mask != nullptr) + (image.type != type));
  } else if (readable_type(image.type) != image.type) {
    bytes += bytes_of(image, readable_type(image.type), image.channels);
  }
  return bytes;
}

Work estimate_work(const Description& image, const SmoothOptions& options,
                   const Description* mask) {
  const SmoothDesign design = design_smooth(image, options, mask != nullptr);
  Work work;
  work.upload_bytes =
      static_cast<double>(padded_bytes(image) + (mask != nullptr ? padded_bytes(*mask) : 0));
  work.download_bytes = static_cast<double>(padded_bytes(design.output));
  work.needs_float64 = design.output.type == PixelType::f64;
  // An average is a quotient of two results.
  const double results = design.normalised ? 2 : 1;
  const double numbers = results * numbers_passed(design);
  work[WorkKind::lines] = {.units = numbers * taps_factor(design),
                           .launches = numbers / static_cast<double>(image.numbers())};
  return work;
}

}  // namespace meander
