// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/image/orientation.hpp"

#include <utility>

#include "io/image/pixel_rows.hpp"

namespace meander::io {
namespace {

/// What brings the stored pixels upright.
struct Turn {
  explicit Turn(int orientation)
      : flips_x(orientation == 2 || orientation == 3 || orientation >= 7),
        flips_y(orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7),
        transposes(orientation >= 5) {}
  bool flips_x;  ///< Of the stored image.
  bool flips_y;
  bool transposes;
};

Shape stored_shape(Shape shape, const Turn& turn) {
  if (turn.transposes) std::swap(shape.x, shape.y);
  return shape;
}

/// Where the stored pixels of `part`, which starts at `from` of the upright image, begin.
Corner stored_corner(Corner from, const Shape& part, const Shape& whole, const Turn& turn) {
  if (turn.transposes) std::swap(from.x, from.y);
  if (turn.flips_x) from.x = whole.x - from.x - part.x;
  if (turn.flips_y) from.y = whole.y - from.y - part.y;
  return from;
}

/// One stored slice into slice `z` of `out`.
void turn_slice(const Image& stored, const Turn& turn, Image& out, std::int64_t z) {
  const std::size_t size = size_of(out.type());
  const auto step_x = static_cast<std::ptrdiff_t>(size) * (turn.flips_x ? -1 : 1);
  const auto step_y = static_cast<std::ptrdiff_t>(stored.pitch().row) * (turn.flips_y ? -1 : 1);
  const std::int64_t first_x = turn.flips_x ? stored.shape().x - 1 : 0;
  const std::int64_t first_y = turn.flips_y ? stored.shape().y - 1 : 0;
  const std::ptrdiff_t across = turn.transposes ? step_y : step_x;
  const std::ptrdiff_t down = turn.transposes ? step_x : step_y;
  for (int c = 0; c < out.channels(); ++c) {
    const std::byte* const first =
        stored.row_bytes(first_y, 0, c) + static_cast<std::size_t>(first_x) * size;
    for (std::int64_t y = 0; y < out.shape().y; ++y) {
      copy_numbers(first + y * down, across, out.mutable_row_bytes(y, z, c),
                   static_cast<std::ptrdiff_t>(size), out.shape().x, size);
    }
  }
}

/// Numbers of an EXIF block; beyond its end they are 0.
class ExifNumbers {
 public:
  explicit ExifNumbers(std::span<const std::byte> block)
      : block_(block), big_endian_(!block.empty() && block[0] == std::byte{'M'}) {}
  std::uint64_t at(std::uint64_t offset, std::uint64_t bytes) const {
    if (offset > block_.size() || bytes > block_.size() - offset) return 0;
    std::uint64_t value = 0;
    for (std::uint64_t i = 0; i < bytes; ++i) {
      const std::uint64_t place = big_endian_ ? i : bytes - 1 - i;
      value = value << 8 | std::to_integer<std::uint64_t>(block_[offset + place]);
    }
    return value;
  }

 private:
  std::span<const std::byte> block_;
  bool big_endian_;
};

}  // namespace

int known_orientation(std::uint64_t number) {
  return number >= 1 && number <= 8 ? static_cast<int>(number) : 1;
}

int exif_orientation(std::span<const std::byte> block) {
  constexpr std::uint64_t entry_bytes = 12, short_type = 3;
  const ExifNumbers numbers(block);
  if (numbers.at(2, 2) != 42) return 1;
  const std::uint64_t directory = numbers.at(4, 4);
  const std::uint64_t entries = numbers.at(directory, 2);
  for (std::uint64_t i = 0; i < entries; ++i) {
    const std::uint64_t entry = directory + 2 + i * entry_bytes;
    if (numbers.at(entry, 2) != orientation_tag || numbers.at(entry + 2, 2) != short_type) continue;
    return known_orientation(numbers.at(entry + 8, 2));
  }
  return 1;
}

Description upright(Description stored, int orientation) {
  if (orientation == 1) return stored;
  stored.placement.reset();
  if (!Turn(orientation).transposes) return stored;
  std::swap(stored.shape.x, stored.shape.y);
  std::swap(stored.spacing.x, stored.spacing.y);
  return stored;
}

void read_upright(Reader::Source& source, const Corner& from, Image& out, Progress& progress) {
  if (source.orientation == 1) return source.read(from, out, progress);
  const Turn turn(source.orientation);
  Description slice = out.description();
  slice.shape = stored_shape({slice.shape.x, slice.shape.y, 1}, turn);
  Image stored = Image::allocate(slice);
  Corner corner = stored_corner(from, slice.shape, source.description.shape, turn);
  for (std::int64_t z = 0; z < out.shape().z; ++z, ++corner.z) {
    source.read(corner, stored, progress);
    turn_slice(stored, turn, out, z);
  }
}

}  // namespace meander::io
