// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "filter/gauss/residues.hpp"

namespace meander {

/// Σ n^power·weight over all n of the filter: over both sides for even powers as for odd ones,
/// whose weights have opposite signs.
double moment(const PoleSum& sum, int power);

/// The residues, on the poles of `smoothing`, that fit the sampled Gaussian (derivative) best, with
/// exact moments. `smoothing` is a filter of order 0 near to what is looked for.
PoleSum fitted(const PoleSum& smoothing, double sigma, int order);

}  // namespace meander
