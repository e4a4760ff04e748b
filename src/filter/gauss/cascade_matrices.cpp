// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/gauss/cascade_matrices.hpp"

#include <algorithm>
#include <cmath>

#include "filter/gauss/residues.hpp"

namespace meander {
namespace {

/// Columns are the states of the modes: differences of p^n, the j-th (1 - 1/p)^j, as multiples of
/// unit^j, so that the matrix is well conditioned at every σ.
struct Modes {
  explicit Modes(const std::vector<Pole>& all) : columns(all.size()) {
    for (const Pole& pole : all) unit = std::max(unit, std::abs(pole.rest / pole.value));
    for (std::size_t i = 0; i < all.size(); ++i) {
      Complex difference = 1;
      for (std::size_t j = 0; j < all.size(); ++j) {
        columns(j, i) = difference;
        difference *= -all[i].rest / all[i].value / unit;
      }
    }
  }

  double unit = 0;
  ComplexMatrix columns;
};

/// What `map` does to modes, done to states: imaginary parts cancel.
StateMatrix on_states(const Modes& modes, const ComplexMatrix& map) {
  const ComplexMatrix scaled = modes.columns * map * inverse(modes.columns);
  const std::size_t states = map.rows();
  StateMatrix matrix{};
  for (std::size_t i = 0; i < states; ++i) {
    for (std::size_t j = 0; j < states; ++j) {
      matrix[i * states + j] =
          scaled(i, j).real() *
          std::pow(modes.unit, static_cast<double>(i) - static_cast<double>(j));
    }
  }
  return matrix;
}

}  // namespace

StateMatrix wrap_matrix(const std::vector<Pole>& all, std::int64_t period) {
  ComplexMatrix map(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    map(i, i) = period == 0 ? 1.0 : 1.0 / (1.0 - power(all[i], static_cast<double>(period)));
  }
  return on_states(Modes(all), map);
}

StateMatrix turn_matrix(const std::vector<Pole>& all, Border border) {
  // With x the line's pixels less that at its beginning, mode j of the backward pass is
  // residue_j·C_j, C_j = Σ p_j^n·x[n], and mode i of the forward pass residue_i times the sum, over
  // the pixels before the line, of p_i^n times what the backward pass left there. That is a part
  // that decays from the line's beginning on, C_j·p_j^(n+1), and the pixels there filtered: none
  // for clamp and constant, x[0], x[1], … for reflect, x[1], x[2], … for mirror.
  const std::vector<Complex> residues = one_way_residues(all);
  ComplexMatrix map(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    Complex filtered = 0;
    for (std::size_t j = 0; j < all.size(); ++j) {
      const Complex product = all[i].rest + all[j].rest - all[i].rest * all[j].rest;  // 1 - p_i·p_j
      map(i, j) = residues[i] * all[j].value / product;
      filtered += residues[j] / product;
    }
    if (border == Border::reflect) map(i, i) += filtered;
    if (border == Border::mirror) map(i, i) += filtered / all[i].value;
  }
  return on_states(Modes(all), map);
}

}  // namespace meander
