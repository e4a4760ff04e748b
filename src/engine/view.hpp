// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/memory.hpp"
#include "meander/image.hpp"

namespace meander::engine {

/// What an engine sees of an image: planar pixels with pitch inside one block of device memory.
struct View {
  MemoryPtr memory;
  std::int64_t offset = 0;  ///< Bytes from the start of the block to the first pixel.
  PixelType type = PixelType::f32;
  Shape shape;
  int channels = 1;
  Pitch pitch;

  /// Rows of all channels and slices in order; the unit in which backends share out work.
  std::int64_t rows() const { return shape.y * shape.z * channels; }
  /// Byte offset of row `index` of rows() from the start of the block.
  std::int64_t row_offset(std::int64_t index) const {
    const std::int64_t y = index % shape.y;
    const std::int64_t z = index / shape.y % shape.z;
    const std::int64_t c = index / shape.y / shape.z;
    return offset + y * pitch.row + z * pitch.slice + c * pitch.channel;
  }
  /// For memory the host can reach.
  std::byte* host_row(std::int64_t index) const { return memory->host + row_offset(index); }
};

}  // namespace meander::engine
