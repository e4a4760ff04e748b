// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "meander/phantom.hpp"

namespace meander::phantoms {

/// A noise-free pixel is a whole number of tenths of the way from background to target, unless it
/// is blurred.
inline constexpr int tenths_of_target = 10;
using PerTenth = std::array<double, tenths_of_target + 1>;

/// `background` at 0 and `target` at 10, both exactly, and never beyond them.
double level_at(double tenths, double background, double target);
/// The same at every whole number of tenths.
PerTenth between(double background, double target);

/// Pixels that follow each other in memory order.
struct PixelRun {
  const std::uint8_t* tenths;  ///< Of blurred pixels the nearest whole number.
  const double* levels;        ///< Means without light.
  const double* light;         ///< By what factor each level is multiplied.
  std::uint64_t first;         ///< Linear index.
  std::size_t count;
};

/// Turns a run of pixels into values; a pure function of what the run says.
class NoiseModel {
 public:
  virtual ~NoiseModel() = default;
  virtual void draw(const PixelRun& run, double* values) const = 0;
};

std::unique_ptr<NoiseModel> noise_model(const PhantomOptions& options, const PhantomLevels& levels);

}  // namespace meander::phantoms
