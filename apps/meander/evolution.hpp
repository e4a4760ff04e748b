// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "meander/meander.hpp"

namespace meander::app {

/// Outlines of a search on its way, as many as a film can show: the first, the last, and others
/// evenly spread over the changes between, however many these turn out to be.
class Evolution {
 public:
  void add(const Polygon& outline);
  /// The frames, at most `most_frames` of them.
  std::vector<Polygon> frames() const;

  static constexpr std::size_t most_frames = 60;

 private:
  std::vector<Polygon> kept_;
  Polygon last_;
  std::int64_t changes_ = 0;
  std::int64_t stride_ = 1;  ///< Of the changes, every so manieth is kept.
};

}  // namespace meander::app
