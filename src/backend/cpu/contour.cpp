// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cpu/engines.hpp"
#include "backend/reference/engines.hpp"

namespace meander::cpu {

void cumulate(const engine::View& pixels, const engine::CumulatedSums& rows,
              const engine::CumulatedSums& blocks) {
  reference::cumulate(pixels, rows, blocks);
}
void coarsen(const engine::CumulatedSums& fine, const engine::CumulatedSums& coarse) {
  reference::coarsen(fine, coarse);
}
void sum_edges(const engine::CumulatedSums& sums, std::span<const engine::ContourEdge> edges,
               engine::RegionSums* results) {
  reference::sum_edges(sums, edges, results);
}
void sum_triangles(const engine::View& pixels, std::span<const engine::ContourTriangle> triangles,
                   engine::RegionSums* results) {
  reference::sum_triangles(pixels, triangles, results);
}

}  // namespace meander::cpu
