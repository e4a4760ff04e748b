// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/io.hpp"
#include "options/list.hpp"

/// The part of an image that --roi names.
namespace meander {

template <>
struct OptionText<io::Roi> {
  static io::Roi parse(std::string_view text) {
    const auto refuse = [&] { detail::refuse_text(text, "four integers " + syntax()); };
    std::vector<std::int64_t> n;
    try {
      n = OptionText<std::vector<std::int64_t>>::parse(text);
    } catch (const InvalidArgument&) {
      refuse();
    }
    if (n.size() != 4) refuse();
    const io::Roi roi{n[0], n[1], n[2], n[3]};
    if (roi.x0 < 0 || roi.y0 < 0 || roi.x0 >= roi.x1 || roi.y0 >= roi.y1) refuse();
    return roi;
  }
  static std::string format(const io::Roi& roi) {
    return OptionText<std::vector<std::int64_t>>::format({roi.x0, roi.y0, roi.x1, roi.y1});
  }
  static std::string syntax() { return "x0,y0,x1,y1 with 0 <= x0 < x1 and 0 <= y0 < y1"; }
};

}  // namespace meander
