// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/edge.hpp"

namespace meander::contour {

void check_snakes(const Field& force, const std::vector<Curve>& starts,
                  const SnakeOptions& options);
void check_edges(const Image& image, const EdgeOptions& options, const EdgeInputs& inputs);

}  // namespace meander::contour
