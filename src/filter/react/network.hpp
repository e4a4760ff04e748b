// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "filter/step_pace.hpp"
#include "meander/react.hpp"

namespace meander {

/// All channels go through the steps side by side, so that a snapshot has all of them.
class Reactor::Network {
 public:
  Network(const Device& device, const Description& image, const ReactOptions& options);

  Image run(const Image& image, const Control& control, const ReactSnapshots& snapshots);
  const ReactFigures& figures() const { return figures_; }

 private:
  struct Channel {
    Image state, scratch;  ///< U and W; `state` holds the latest.
    std::int64_t steps = 0;
    double change = 0;
    bool settled = false;
  };

  void start(const Image& image);
  void take_snapshot(const ReactSnapshots& snapshots, std::int64_t step, const Control& control);
  std::int64_t next_stop(std::int64_t step, const ReactSnapshots& snapshots) const;
  bool is_sampled(std::int64_t step) const;
  bool all_settled() const;

  void advance(Channel& channel, std::int64_t steps, const Control& control);
  void sample_change(Channel& channel);
  void check_states(std::int64_t step, const Control& control);
  void report(const Control& control) const;
  Image layers() const;
  void finish_figures();

  const Device device_;
  const Description image_;
  const ReactOptions options_;
  Spacing spacing_;
  std::optional<Placement> placement_;
  engine::Iteration work_;
  StepPace pace_;
  std::int64_t checked_ = -1;  ///< The step whose states were last looked at.
  std::vector<Channel> channels_;
  ReactFigures figures_;
};

}  // namespace meander
