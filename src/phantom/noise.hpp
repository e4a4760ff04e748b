// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "meander/phantom.hpp"

namespace meander::phantoms {

/// A noise-free pixel is a whole number of tenths of the way from background to target.
inline constexpr int tenths_of_target = 10;
using PerTenth = std::array<double, tenths_of_target + 1>;

/// `background` at 0 and `target` at 10, both exactly.
PerTenth between(double background, double target);

/// Turns the tenths of a run of pixels into values; a pure function of the pixels' linear indices.
class NoiseModel {
 public:
  virtual ~NoiseModel() = default;
  virtual void draw(const std::uint8_t* tenths, std::uint64_t first, std::size_t count,
                    double* values) const = 0;
};

std::unique_ptr<NoiseModel> noise_model(const PhantomOptions& options, const PhantomLevels& levels);

}  // namespace meander::phantoms
