// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#include "engine/scan.hpp"
#include "filter/gauss/residues.hpp"
#include "meander/smooth.hpp"

namespace meander {

/// How a pass gets to its first pixel.
struct WarmUp {
  std::int64_t pixels = 0;
  bool closes =
      false;  ///< They are whole periods of the border, so that `wrap` makes them endless.
};

/// Long enough for the state to forget where it started, unless the border repeats itself sooner.
WarmUp warm_up(const std::vector<Pole>& poles, Precision precision, std::int64_t length,
               Border border);

/// The two-pass filter of gain 1 with these poles, in the delta form.
engine::Recurrence cascade(const std::vector<Pole>& poles, Precision precision, std::int64_t length,
                           const BorderRule& border);

/// The same sum on both sides of a pixel; `order` gives its symmetry and its gain, 1 or 0.
engine::Recurrence sum_of_terms(const PoleSum& sum, int order, Precision precision,
                                std::int64_t length, const BorderRule& border);

}  // namespace meander
