// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "filter/flow/source.hpp"

namespace meander {

FlowResult flow_by_multigrid(const FlowSource& source, const FlowOptions& options,
                             const FlowInputs& inputs, const Control& control);
/// explicit and fed.
FlowResult flow_by_steps(const FlowSource& source, const FlowOptions& options,
                         const FlowInputs& inputs, const Control& control);

/// Step lengths of one cycle of fast explicit diffusion, `count` steps whose product of
/// amplifications stays below 1 for all modes although most of them are longer than `limit`, up to
/// which every step by itself is stable. Together they are limit·count·(count + 1)/3 long. They
/// come in an order in which rounding errors are amplified some `count` times at most.
std::vector<double> fed_steps(std::int64_t count, double limit);

/// The sum of squares; throws NotConverged when any number is not finite.
double finite_squares(const engine::Sums& sums);

}  // namespace meander
