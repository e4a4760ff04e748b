// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/edge.hpp"

namespace meander::contour {

// Both check all but the lengths of starts.
void check_snakes(const Field& force, const std::vector<Curve>& starts,
                  const SnakeOptions& options);
void check_edges(const Image& image, const EdgeOptions& options, const EdgeInputs& inputs);
/// Throws InvalidArgument for starts that are shorter than eight points.
void check_lengths(const std::vector<Curve>& starts, const SnakeOptions& options);

/// segment_edges for curves that were found before, of any length.
EdgeResult edges_from(const Image& image, const EdgeOptions& options, const EdgeInputs& inputs,
                      const Control& control);

}  // namespace meander::contour
