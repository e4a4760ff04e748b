// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/image.hpp"
#include "meander/outline.hpp"

/// What outlines cost in the description of an image, in nats.
namespace meander::contour {

/// What it takes to say where a node of an outline is: the log of the number of pixels in the box
/// around the outline that do not share their noise, counted as at least 16.
double cost_of_node(const Polygon& outline, double correlation = 1);

double cost_of_nodes(const Polygon& ring);
/// What it takes to say where the box around an object is in an image: two of its pixels.
double cost_of_place(const Shape& image);
/// A hole is somewhere in the box around its object: two of the box's pixels, and its nodes.
double cost_of_hole(const Polygon& hole, const Polygon& outer);
/// What it takes to say where the rings of an object are.
double cost_of_region(const Region& region, const Shape& image);

}  // namespace meander::contour
