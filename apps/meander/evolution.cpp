// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "evolution.hpp"

namespace meander::app {

/// When twice as many are kept as can be shown every other one is let go.
void Evolution::add(const Polygon& outline) {
  last_ = outline;
  if (changes_++ % stride_ != 0) return;
  kept_.push_back(outline);
  if (kept_.size() < 2 * most_frames) return;
  for (std::size_t i = 1; i < kept_.size() / 2; ++i) kept_[i] = std::move(kept_[2 * i]);
  kept_.resize(kept_.size() / 2);
  stride_ *= 2;
}

std::vector<Polygon> Evolution::frames() const {
  std::vector<Polygon> all = kept_;
  if (!all.empty() && all.back() != last_) all.push_back(last_);
  if (all.size() <= most_frames) return all;
  std::vector<Polygon> even;
  for (std::size_t i = 0; i < most_frames; ++i) {
    even.push_back(all[i * (all.size() - 1) / (most_frames - 1)]);
  }
  return even;
}

}  // namespace meander::app
