// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>

#include "engine/view.hpp"
#include "meander/flow.hpp"

namespace meander {

/// Sides of a pixel over the smallest of them; of an axis that the image does not have, 1.
std::array<double, 3> relative_sides(const Description& image);

/// Where the V0 of a flow comes from, component by component so that no more of it is in memory
/// than the solver wants.
class FlowSource {
 public:
  FlowSource(const Image& image, const FlowOptions& options);
  /// Taken as it is.
  FlowSource(const Field& field, const FlowOptions& options);

  const Description& input() const { return input_.description(); }
  const Device& device() const { return device_; }
  int components() const { return input().shape.rank(); }
  /// Of V0 and the field, f32 or f64.
  PixelType arithmetic() const { return arithmetic_; }
  /// What `count` components of the field take, with the input's spacing and placement.
  Description field_of(PixelType type, int count) const;

  /// Component `index` into one channel of the arithmetic's type.
  void write(int index, const Image& out, const Control& control) const;

 private:
  void write_difference(int index, const Image& out, const Control& control) const;
  void write_derivative(int index, const Image& out, const Control& control) const;

  const Image input_;
  const Device device_;
  const FlowOptions& options_;
  const bool is_field_;
  const PixelType arithmetic_;
  double scale_ = 1;  ///< From values to parts of their range.
};

}  // namespace meander
