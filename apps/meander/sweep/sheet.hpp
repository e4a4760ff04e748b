// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "session/verb.hpp"

namespace meander::app {

/// The results of a sweep as pictures beside each other, all grey between the same two values, so
/// that they can be compared; fields and overlays in their own colours. Of a volume the middle
/// slice is shown; of three channels or more the first three as red, green and blue, of two the
/// first. Results are reduced as they come, and only that is kept.
class SweepSheet {
 public:
  /// `columns` and `rows` of tiles, for which a sheet of about 4096 pixels a side has room.
  SweepSheet(Showing showing, std::size_t columns, std::size_t rows);

  /// The result of the next run.
  void add(const std::string& label, const Image& result);
  /// A run without a result, for a reason of a word or two.
  void add_empty(const std::string& label, const std::string& reason);

  /// The values that are black and white; nothing where no result is shown by its values.
  std::optional<std::array<double, 2>> window() const;
  /// False when every run was without a result.
  bool shows_anything() const;
  /// The labelled tiles, as many in a row as there are columns.
  Image picture() const;

 private:
  struct Shown {
    std::string label;
    std::vector<Image> planes;  ///< f32, one or three; none without a result.
    bool is_picture = false;    ///< Has colours already, 0 to 255.
  };
  Shape shape_of_first() const;

  const Showing showing_;
  const std::size_t columns_;
  const std::int64_t longest_side_;
  std::vector<Shown> shown_;
};

}  // namespace meander::app
