// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "engine/view.hpp"
#include "filter/smooth/design.hpp"
#include "meander/control.hpp"
#include "meander/device.hpp"

namespace meander {

/// One filter along one axis, ready to run on a device.
struct AxisPass {
  engine::Axis axis = engine::Axis::x;
  int order = 0;
  std::vector<double> weights;  ///< Of an FIR filter; empty for a recurrence.
  engine::Recurrence recurrence;
  BorderRule border;

  bool is_fir() const { return !weights.empty(); }
  std::int64_t radius() const { return static_cast<std::int64_t>(weights.size() / 2); }
  bool is_sum() const { return !is_fir() && recurrence.form == engine::Recurrence::Form::sum; }
  /// Whether its result may replace what it reads.
  bool runs_in_place(const Device& device) const;
};

/// The passes of one component, slowest axis first, without borders.
std::vector<AxisPass> passes_of(const SmoothDesign& design, int component);

/// Once a derivative was taken, a constant border has become 0 for the axes that follow.
void set_border(std::vector<AxisPass>& passes, BorderRule border);

/// Counts the work done, in numbers passed over, and has the cancel points.
class SmoothProgress {
 public:
  SmoothProgress(const Control& control, double total) : control_(control), total_(total) {
    control_.step(0);
  }
  void add(double numbers) {
    done_ += numbers;
    control_.step(done_ < total_ ? done_ / total_ : 1);
  }

 private:
  const Control& control_;
  const double total_;
  double done_ = 0;
};

/// `in` and `out` of equal shape and channels. Long passes are cut into groups of lines, so that
/// there is a cancel point every few milliseconds.
void run_pass(const AxisPass& pass, const Image& in, const Image& out, SmoothProgress& progress);

/// A view of `value` everywhere that takes no more memory than a row of it.
engine::View constant_view(const Device& device, PixelType type, double value, const Shape& shape,
                           int channels);

}  // namespace meander
