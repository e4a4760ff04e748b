// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "contour/objects/object_field.hpp"

namespace meander::contour {

/// How much shorter an object makes the description of an image.
struct Worth {
  double gain = 0;         ///< By which J is lower than with the object as background.
  double description = 0;  ///< What it takes to say where the object is: its place and its nodes.
  double saved() const { return gain - description; }
};
Worth worth_of(const ObjectField& field, std::size_t i);

/// Fills holes that do not shorten the description.
void fill_holes(ObjectField& field);
/// Leaves out objects that do not shorten the description, cover less than the options allow, or
/// are too many.
void leave_out(ObjectField& field);

}  // namespace meander::contour
