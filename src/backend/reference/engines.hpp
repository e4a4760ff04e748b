// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "engine/backend.hpp"

namespace meander::reference {

void convert(const engine::View& in, const engine::View& out, const engine::Affine& map);
engine::Sums reduce(const engine::View& in, double shift);

}  // namespace meander::reference
