// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/slices.hpp"

#include <type_traits>

namespace meander::io {
namespace {

std::array<std::int64_t, 3> extents(const Shape& shape) { return {shape.x, shape.y, shape.z}; }

}  // namespace

std::array<std::size_t, 3> axes_of(Slice::Across across) {
  switch (across) {
    case Slice::Across::x:
      return {1, 2, 0};
    case Slice::Across::y:
      return {0, 2, 1};
    case Slice::Across::z:
      break;
  }
  return {0, 1, 2};
}

std::int64_t count_slices(const Shape& volume, Slice::Across across) {
  return extents(volume)[axes_of(across)[2]];
}

Description slice_of(const Description& volume, const Slice& slice) {
  const auto [columns, rows, across] = axes_of(slice.across);
  const auto extent = extents(volume.shape);
  const std::array<double, 3> spacing{volume.spacing.x, volume.spacing.y, volume.spacing.z};
  Description plane = volume;
  plane.shape = {extent[columns], extent[rows], 1};
  plane.spacing = {spacing[columns], spacing[rows], spacing[across], volume.spacing.unit};
  if (!volume.placement) return plane;
  std::array<std::int64_t, 3> corner{};
  corner[across] = slice.index;
  plane.placement = volume.placement->moved_to(corner[0], corner[1], corner[2]);
  const auto step = plane.placement->step;
  plane.placement->step = {step[columns], step[rows], step[across]};
  return plane;
}

Image copied_slice(const Image& part, const Slice& slice, std::int64_t begin,
                   const Description& rows) {
  Image out = Image::allocate(rows);
  const auto axes = axes_of(slice.across);
  visit(part.type(), [&]<class T>(std::type_identity<T>) {
    std::array<std::int64_t, 3> at{};
    at[axes[2]] = slice.index;
    for (int c = 0; c < rows.channels; ++c) {
      for (std::int64_t y = 0; y < rows.shape.y; ++y) {
        T* const row = out.mutable_row<T>(y, 0, c);
        at[axes[1]] = begin + y;
        for (std::int64_t x = 0; x < rows.shape.x; ++x) {
          at[axes[0]] = x;
          row[x] = part.row<T>(at[1], at[2], c)[at[0]];
        }
      }
    }
  });
  return out;
}

}  // namespace meander::io
