// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/tiff/placement_text.hpp"

#include <cmath>

#include "core/number_text.hpp"
#include "meander/options.hpp"

namespace meander::io {
namespace {

/// The numbers of a placement in the order of the text; false as soon as `visit` is.
template <class AnyPlacement, class F>
bool each_number(AnyPlacement& placement, F&& visit) {
  for (auto& value : placement.origin) {
    if (!visit(value)) return false;
  }
  for (auto& vector : placement.step) {
    for (auto& value : vector) {
      if (!visit(value)) return false;
    }
  }
  return true;
}

}  // namespace

std::string exact_text(const Placement& placement) {
  std::string text;
  each_number(placement, [&](double value) {
    text += OptionText<double>::format(value) + ",";
    return true;
  });
  return text + std::to_string(static_cast<int>(placement.axes)) + "," +
         std::to_string(static_cast<int>(placement.from));
}

std::optional<Placement> placement_in(std::string_view text) {
  const auto part = [&text] {
    const std::string_view front = text.substr(0, text.find(','));
    text.remove_prefix(std::min(front.size() + 1, text.size()));
    return front;
  };
  Placement placement;
  const bool complete = each_number(placement, [&](double& value) {
    const auto number = number_in<double>(part());
    if (number) value = *number;
    return number && std::isfinite(*number);
  });
  const auto axes = number_in<int>(part());
  const auto from = number_in<int>(part());
  const auto within = [](const std::optional<int>& number, auto last) {
    return number && *number >= 0 && *number <= static_cast<int>(last);
  };
  if (!complete || !within(axes, WorldAxes::left_handed) || !within(from, WorldOrigin::other) ||
      !text.empty()) {
    return std::nullopt;
  }
  placement.axes = static_cast<WorldAxes>(*axes);
  placement.from = static_cast<WorldOrigin>(*from);
  return placement;
}

}  // namespace meander::io
