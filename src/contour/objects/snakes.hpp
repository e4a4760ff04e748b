// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "contour/objects/object_field.hpp"

namespace meander::contour {

/// A region among others that stay as they are.
struct Surrounded {
  Region region;
  Box window;                          ///< The region begins and stays in it.
  RegionSums ground;                   ///< All that is the region's or background to it.
  std::vector<const Polygon*> others;  ///< Rings that it stays off, and the zone that it stays in.
  Criterion::Family family;            ///< Of its noise.
};
Surrounded surrounded(const ObjectField& field, std::size_t i);

/// A region on its way, and what that took.
struct Improved {
  Region region;
  std::vector<Spline> splines;  ///< See Outline::splines.
  Effort effort;
};

/// Where the rings of a region go: first the outer one, then each hole. Safe to call from several
/// threads. Throws Cancelled when `stop` says so.
Improved improved(const Scene& scene, const Surrounded& start, const std::stop_token& stop);

/// Gives objects curves in the place of polygons, as the options say. In the order of improve_all.
Effort curve_all(ObjectField& field, const Control& control);

/// Lets all objects go where J and their nodes are least. Objects whose windows do not meet go at
/// the same time, the others one after the other, all again when their neighbours have changed: so
/// the outcome depends on their order alone. `from` and `to`: of the progress that is reported.
Effort improve_all(ObjectField& field, const Control& control, double from, double to);
/// The same of some, and of those that are in their way.
Effort improve_some(ObjectField& field, std::vector<bool> which, const Control& control,
                    double from, double to);

}  // namespace meander::contour
