// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>

#include "meander/io.hpp"

/// Slices of a volume across any of its axes, as images of 2 axes.
namespace meander::io {

/// The axes of the volume along which the columns and the rows of a slice run, and the one that it
/// lies across: 0 is x, 1 is y, 2 is z.
std::array<std::size_t, 3> axes_of(Slice::Across across);

std::int64_t count_slices(const Shape& volume, Slice::Across across);

/// The slice as an image that lies where it is cut.
Description slice_of(const Description& volume, const Slice& slice);

/// Rows of a slice of a part of a volume, from `begin` on: an image of its own, `rows`.
Image copied_slice(const Image& part, const Slice& slice, std::int64_t begin,
                   const Description& rows);

}  // namespace meander::io
