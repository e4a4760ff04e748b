// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string_view>
#include <utility>

#include "meander/io.hpp"
#include "meander/options.hpp"

/// What --pages and --axis choose from.
namespace meander {

template <>
struct ChoiceNames<io::Pages> {
  static constexpr std::pair<io::Pages, std::string_view> values[] = {
      {io::Pages::frames, "frames"}, {io::Pages::slices, "slices"}};
};

template <>
struct ChoiceNames<io::Slice::Across> {
  static constexpr std::pair<io::Slice::Across, std::string_view> values[] = {
      {io::Slice::Across::x, "x"}, {io::Slice::Across::y, "y"}, {io::Slice::Across::z, "z"}};
};

}  // namespace meander
