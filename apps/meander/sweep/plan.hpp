// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "options/sweep.hpp"
#include "session/verb.hpp"

namespace meander::app {

/// What one sweep does: which options get which values, one run after the other.
class SweepPlan {
 public:
  /// Throws InvalidArgument, naming the option, for what is no number, unknown, out of its range,
  /// given beside, swept twice, or too many runs.
  SweepPlan(Verb& verb, const std::vector<SweepAxis>& axes);

  std::size_t runs() const;
  std::size_t columns() const;  ///< Of the tiles; the second option's values, where there are two.
  std::size_t rows() const { return (runs() + columns() - 1) / columns(); }
  const std::vector<SweepAxis>& axes() const { return axes_; }

  /// The values of a run, one for each option.
  std::vector<std::string> values(std::size_t run) const;
  /// "sigma=2 mu=0.1", with at most six digits each.
  std::string label(std::size_t run) const;
  /// Sets the options.
  void apply(std::size_t run) const;

 private:
  const std::vector<SweepAxis> axes_;
  std::vector<OptionEntry*> options_;
  std::vector<std::vector<std::string>> values_;
};

}  // namespace meander::app
