// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "contour/objects/snakes.hpp"

/// Outlines that become two, and two that become one, where the description is shorter then.
///
/// What is compared: J of what is the objects' or background to them, every node, and two places of
/// the box around all for each object but one, for each hole and for each bay: an outline is its
/// convex hull, and a bay is told like a hole. Without bays two discs that touch would be one
/// outline in any noise: their nodes are as many, and J is the same.
namespace meander::contour {

/// Objects cut where they pinch, again and again. A new one comes behind the others.
Effort split_objects(ObjectField& field, const Control& control);

/// Pairs that come within two pixels of each other become one, again and again; it has the place of
/// the larger one.
Effort merge_objects(ObjectField& field, const Control& control);

/// Pairs that touch get the border between them that a cut of both as one would have. The outline
/// that moves first may take of the other what is as bright as itself; then it has a bay.
Effort redivide_objects(ObjectField& field, const Control& control);
/// Without spikes: where an outline leaves an edge and comes back to within a pixel of it after a
/// few nodes, it goes on from there. Twice, for a spike has two sides.
Polygon without_spikes(Polygon ring);

}  // namespace meander::contour
