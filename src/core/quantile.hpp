// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <vector>

namespace meander {

/// The value that so many others come before in order; reorders them.
template <class T>
T value_of_rank(std::vector<T>& values, std::size_t rank) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

/// The value with a part of the others below it, of two in the middle the lower; reorders them. 0
/// of none.
template <class T>
double quantile(std::vector<T>& values, double part) {
  if (values.empty()) return 0;
  const double rank = part * static_cast<double>(values.size() - 1);
  return static_cast<double>(value_of_rank(values, static_cast<std::size_t>(rank)));
}

}  // namespace meander
