// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "engine/backend.hpp"

namespace meander::cpu {

void convert(const engine::View& in, const engine::View& out, const engine::Affine& map);
engine::Sums reduce(const engine::View& in, double shift, engine::Wanted what);
std::int64_t lines_held();
void scan(const engine::View& in, const engine::View& out, engine::Axis axis,
          const engine::Recurrence& recurrence);
void scan_part(const engine::View& in, const engine::View& out, const engine::View& state,
               engine::Axis axis, engine::Direction direction,
               const engine::Recurrence& recurrence);
void scan_state(const engine::View& edge, const engine::View& state, engine::Axis axis,
                engine::StateMap map, const engine::Recurrence& recurrence);
void fir(const engine::View& in, const engine::View& out, engine::Axis axis,
         std::span<const double> weights, const BorderRule& border);
void prefix(const engine::View& in, const engine::View& out, engine::Axis axis,
            engine::Prefix kind);
void pointwise(engine::Pointwise operation, const engine::View& a, const engine::View& b,
               const engine::View& c, const engine::View& out);
void iterate(const engine::Iteration& work, const engine::View& state, const engine::View& scratch,
             const engine::View& fields);
void relax(const engine::Iteration& work, const engine::View& state, const engine::View& fields,
           bool from_zero);
void apply(const engine::Iteration& work, const engine::View& in, const engine::View& fields,
           const engine::View& out);
void transfer(const engine::View& coarse, const engine::View& fine, const engine::View& weight,
              engine::Prolongation how);
std::string iteration_notes();
void cumulate(const engine::View& pixels, const engine::CumulatedSums& rows,
              const engine::CumulatedSums& blocks);
void coarsen(const engine::CumulatedSums& fine, const engine::CumulatedSums& coarse);
void sum_edges(const engine::CumulatedSums& sums, std::span<const engine::ContourEdge> edges,
               engine::RegionSums* results);
void sum_triangles(const engine::View& pixels, std::span<const engine::ContourTriangle> triangles,
                   engine::RegionSums* results);
void move_contours(const engine::View& force, const engine::MovingBatch& batch);

}  // namespace meander::cpu
