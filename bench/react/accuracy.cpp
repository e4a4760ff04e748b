// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>

#include "bench/react/grids.hpp"
#include "bench/react/paper.hpp"
#include "bench/react/react.hpp"

namespace meander::bench {
namespace {

ReactAccuracy difference(const std::string& arithmetic, const std::vector<double>& exact,
                         const std::vector<double>& found) {
  ReactAccuracy accuracy{.arithmetic = arithmetic};
  double squares = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double distance = std::abs(found[i] - exact[i]);
    squares += distance * distance;
    accuracy.max = std::max(accuracy.max, distance);
    accuracy.signs += (found[i] < 0) != (exact[i] < 0) ? 1 : 0;
  }
  accuracy.rms = std::sqrt(squares / static_cast<double>(exact.size()));
  return accuracy;
}

template <class Grid>
std::vector<double> u_after(Grid grid, const Control& control, double share) {
  control.step(share);
  grid.run(paper_steps, control.stop);
  return grid.u();
}

}  // namespace

std::vector<ReactAccuracy> react_accuracy(const Shape& size, const Control& control) {
  const ReactNetwork network;
  const ReactStart start = react_start(size);
  const auto exact = u_after(EngineGrid(network, start, PixelType::f64), control, 0);
  const auto single = u_after(EngineGrid(network, start, PixelType::f32), control, 0.4);
  const auto fixed16 = u_after(fixed_grid<std::int16_t>(network, start), control, 0.6);
  const auto fixed32 = u_after(fixed_grid<std::int32_t>(network, start), control, 0.8);
  control.step(1);
  return {difference("float32", exact, single),
          difference(name_of(ReactWay::fixed16), exact, fixed16),
          difference(name_of(ReactWay::fixed32), exact, fixed32)};
}

}  // namespace meander::bench
