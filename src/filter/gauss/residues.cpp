// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/gauss/residues.hpp"

#include <algorithm>
#include <cmath>

#include "filter/gauss/samples.hpp"

namespace meander {
namespace {

/// Weights of a cascade: the one-way filter correlated with itself.
std::vector<Complex> two_way_residues(const std::vector<Pole>& poles) {
  const std::vector<Pole> all = with_conjugates(poles);
  const std::vector<Complex> one_way = one_way_residues(all);
  std::vector<Complex> residues;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].value.imag() > 0) continue;  // its conjugate, which comes first, stands for both
    Complex sum = 0;
    for (std::size_t j = 0; j < all.size(); ++j) {
      // 1 - p·p' in terms of 1 - p and 1 - p'
      sum += one_way[j] / (all[i].rest + all[j].rest - all[i].rest * all[j].rest);
    }
    residues.push_back(one_way[i] * sum * (all[i].is_real() ? 1.0 : 2.0));
  }
  return residues;
}

std::vector<Complex> published_residues(SmoothMethod method) {
  std::vector<Complex> residues;
  for (const DampedCosine& term : damped_cosines(method)) {
    residues.emplace_back(term.cosine, term.sine);
  }
  return residues;
}

void scale_by(std::vector<Complex>& residues, double factor) {
  for (Complex& residue : residues) residue *= factor;
}

/// Deriche's coefficients for the derivatives as ITK has them.
PoleSum deriche_derivative(PoleSum smoothing, int order) {
  PoleSum sum{smoothing.poles, {}};
  if (order == 1) {
    sum.residues = {{0.6724, 3.4327}, {-0.6724, -0.6100}};
    scale_by(sum.residues, 1 / moment(sum, 1));
    return sum;
  }
  sum.residues = {{-1.3563, 5.2318}, {0.3446, -2.2355}};
  const double share = moment(sum, 0) / moment(smoothing, 0);
  for (std::size_t t = 0; t < 2; ++t) sum.residues[t] -= share * smoothing.residues[t];
  scale_by(sum.residues, 2 / moment(sum, 2));
  return sum;
}

}  // namespace

std::vector<Complex> one_way_residues(const std::vector<Pole>& all) {
  std::vector<Complex> residues;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Complex residue = all[i].rest;
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (j != i) residue *= all[j].rest * all[i].value / (all[j].rest - all[i].rest);
    }
    residues.push_back(residue);
  }
  return residues;
}

PoleSum gauss_sum(SmoothMethod method, double sigma, int order) {
  PoleSum sum{gauss_poles(method, sigma), {}};
  sum.residues = is_cascade(method) ? two_way_residues(sum.poles) : published_residues(method);
  scale_by(sum.residues, 1 / moment(sum, 0));
  if (method == SmoothMethod::deriche) return order == 0 ? sum : deriche_derivative(sum, order);
  if (order == 0 && is_cascade(method)) return sum;
  return fitted(sum, sigma, order);
}

Response compare_with_gaussian(const PoleSum& sum, double sigma, int order) {
  const GaussSamples gauss(sigma, order);
  // 200 places for each σ are enough to see the largest error to four digits.
  const auto stride = static_cast<std::int64_t>(std::max(1.0, sigma / 200));
  const auto end = static_cast<std::int64_t>(10 * sigma) + 10;
  std::vector<Complex> steps, terms = sum.residues;
  for (const Pole& pole : sum.poles) steps.push_back(power(pole, static_cast<double>(stride)));
  double peak = 0, error = 0;
  for (std::int64_t n = 0; n <= end; n += stride) {
    double weight = 0;
    for (std::size_t t = 0; t < terms.size(); ++t) {
      weight += terms[t].real();
      terms[t] *= steps[t];
    }
    const double wanted = gauss(n);
    peak = std::max(peak, std::abs(wanted));
    error = std::max(error, std::abs(weight - wanted));
  }
  double terms_at_centre = 0;
  for (const Complex& residue : sum.residues) {
    terms_at_centre += std::abs(residue.real()) + std::abs(residue.imag());
  }
  return {error / peak, 0x1p-24 * terms_at_centre / peak};
}

}  // namespace meander
