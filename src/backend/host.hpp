// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "engine/backend.hpp"

namespace meander::engine {

/// What distinguishes the backends that run on the host: their engines, as functions that run now.
struct HostEngines {
  void (*convert)(const View& in, const View& out, const Affine& map);
  Sums (*reduce)(const View& in, double shift, Wanted what);
  std::int64_t (*lines_held)();
  void (*scan)(const View& in, const View& out, Axis axis, const Recurrence& recurrence);
  void (*scan_part)(const View& in, const View& out, const View& state, Axis axis,
                    Direction direction, const Recurrence& recurrence);
  void (*scan_state)(const View& edge, const View& state, Axis axis, StateMap map,
                     const Recurrence& recurrence);
  void (*fir)(const View& in, const View& out, Axis axis, std::span<const double> weights,
              const BorderRule& border);
  void (*prefix)(const View& in, const View& out, Axis axis, Prefix kind);
  void (*pointwise)(Pointwise operation, const View& a, const View& b, const View& c,
                    const View& out);
  void (*iterate)(const Iteration& work, const View& state, const View& scratch,
                  const View& fields);
  void (*relax)(const Iteration& work, const View& state, const View& fields, bool from_zero);
  void (*apply)(const Iteration& work, const View& in, const View& fields, const View& out);
  void (*transfer)(const View& coarse, const View& fine, const View& weight, Prolongation how);
  std::string (*iteration_notes)();
  void (*cumulate)(const View& pixels, const CumulatedSums& rows, const CumulatedSums& blocks);
  void (*coarsen)(const CumulatedSums& fine, const CumulatedSums& coarse);
  void (*sum_edges)(const CumulatedSums& sums, std::span<const ContourEdge> edges,
                    RegionSums* results);
  void (*sum_triangles)(const View& pixels, std::span<const ContourTriangle> triangles,
                        RegionSums* results);
  void (*move_contours)(const View& force, const MovingBatch& batch);
};

/// A backend over ordinary memory and a HostQueue.
std::shared_ptr<Backend> make_host_backend(DeviceInfo info, const HostEngines& engines);

}  // namespace meander::engine
