// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "filter/gauss/poles.hpp"

namespace meander {

/// The weights of a recursive filter: Re Σ residue·p^n on the pixel n >= 0 places further on, and
/// the same, with the other sign for order 1, on the pixel n places back.
struct PoleSum {
  std::vector<Pole> poles;
  std::vector<Complex> residues;  ///< Real for real poles.
};

/// The residues of one pass of a cascade, one for each of all its poles (see with_conjugates), and
/// gain 1.
std::vector<Complex> one_way_residues(const std::vector<Pole>& all);

/// The filter that the method makes of its poles. Cascades of order 0 are what their two passes
/// come to; `deriche` has its published residues; all others are fitted to the sampled Gaussian.
/// Moments are exact, as those of sampled_gaussian.
PoleSum gauss_sum(SmoothMethod method, double sigma, int order);

/// How the weights compare with those of the sampled Gaussian, as parts of its largest.
struct Response {
  double error;     ///< The largest difference, in exact arithmetic.
  double rounding;  ///< About what float arithmetic may add to it: its terms partly cancel.
};
Response compare_with_gaussian(const PoleSum& sum, double sigma, int order);

/// Σ n^power·weight over all n of the filter: over both sides for even powers as for odd ones,
/// whose weights have opposite signs.
double moment(const PoleSum& sum, int power);

/// The residues, on the poles of `smoothing`, that fit the sampled Gaussian (derivative) best, with
/// exact moments. `smoothing` is a filter of order 0 near to what is looked for.
PoleSum fitted(const PoleSum& smoothing, double sigma, int order);

}  // namespace meander
