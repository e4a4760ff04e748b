// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/npy.hpp"

#include <algorithm>
#include <cstring>

#include "io/claim.hpp"
#include "io/npy_header.hpp"
#include "io/pixel_rows.hpp"

namespace meander::io {
namespace {

constexpr std::int64_t most_channels = 65535;  // as many as a TIFF can have

/// Axes of the array in file order as an image.
Description description_of(const InputFile& file, const NpyHeader& header, bool channels_last) {
  std::vector<std::int64_t> axes = header.shape;
  if (axes.empty() || axes.size() > 4) {
    file.unsupported("found an NPY array of ", axes.size(), " axes, expected 1 to 4");
  }
  if (std::ranges::count(axes, 0) > 0) file.malformed("found an NPY array without elements");
  Description description{.type = header.type};
  if (axes.size() == 4 || (axes.size() == 3 && channels_last)) {
    if (axes.back() > most_channels) {
      file.unsupported("found ", axes.back(), " channels, expected at most ", most_channels);
    }
    description.channels = static_cast<int>(axes.back());
    axes.pop_back();
  }
  std::ranges::reverse(axes);
  axes.resize(3, 1);
  description.shape = {axes[0], axes[1], axes[2]};
  return description;
}

/// Fortran order: the neighbours of a pixel along the slab axis are neighbours in the file, and the
/// other axes follow in the order y (of a volume), x, channel. Such a column is cut by every slab.
struct Columns {
  Columns(const Description& whole, const Corner& corner, std::int64_t begin, std::int64_t end)
      : shape(whole.shape),
        from(corner),
        count(whole.numbers() / slab_length(whole.shape)),
        size(static_cast<std::int64_t>(size_of(whole.type))),
        first(begin),
        length(end - begin) {
    // Short columns are read whole, many at a time; of a long one only the part that is wanted.
    const std::int64_t column_bytes = slab_length(shape) * size;
    if (column_bytes > shortest_long_column) return;
    first = 0;
    length = slab_length(shape);
    per_run = std::max<std::int64_t>(1, bytes_per_step / column_bytes);
  }

  std::int64_t file_offset(std::int64_t column) const {
    return (column * slab_length(shape) + first) * size;
  }
  /// Where position 0 of the slab axis of a column goes in `out`; null beside it.
  std::byte* start(std::int64_t column, Image& out) const {
    const std::int64_t y = shape.z > 1 ? column % shape.y - from.y : 0;
    if (shape.z > 1) column /= shape.y;
    const std::int64_t x = column % shape.x - from.x;
    if (x < 0 || x >= out.shape().x || y < 0 || y >= out.shape().y) return nullptr;
    const auto channel = static_cast<int>(column / shape.x);
    return out.mutable_row_bytes(y, 0, channel) + x * size;
  }

  static constexpr std::int64_t shortest_long_column = 64 << 10;
  const Shape shape;
  const Corner from;         ///< Of the part that is wanted.
  const std::int64_t count;  ///< Columns in the file.
  const std::int64_t size;   ///< Bytes of a number.
  std::int64_t first;        ///< Slab position where reading a column starts, and how far it goes.
  std::int64_t length;
  std::int64_t per_run = 1;  ///< Columns that are read at once.
};

class NpySource final : public Reader::Source {
 public:
  NpySource(InputFile opened, const ReadOptions& options)
      : Source(std::move(opened)), header_(read_npy_header(file)) {
    description = description_of(file, header_, options.channels_last);
    check_claim(file, description, file.size() - header_.data_offset);
  }

  void read(const Corner& from, Image& out, Progress& progress) override {
    if (header_.fortran_order) return read_columns(from, out, progress);
    const std::int64_t row = description.shape.x * pixel_bytes(out);
    const std::int64_t slice = description.shape.y * row;
    const std::int64_t offset = header_.data_offset + from.z * slice + from.y * row;
    if (out.shape().x == description.shape.x && out.shape().y == description.shape.y) {
      return read_raw(file, offset, header_.swapped, out, progress);
    }
    for (std::int64_t z = 0; z < out.shape().z; ++z) {
      Image part = out.slices(z, z + 1);
      read_raw_rows(file, offset + z * slice + from.x * pixel_bytes(out), row, header_.swapped,
                    part, progress);
    }
  }

 private:
  void read_columns(const Corner& from, Image& out, Progress& progress) {
    const std::int64_t begin = description.shape.z > 1 ? from.z : from.y;
    const std::int64_t end = begin + slab_length_of(out);
    const Columns columns(description, from, begin, end);
    std::vector<std::byte> run;
    for (std::int64_t column = 0; column < columns.count; column += columns.per_run) {
      const std::int64_t many = std::min(columns.per_run, columns.count - column);
      run.resize(static_cast<std::size_t>(many * columns.length * columns.size));
      file.read(header_.data_offset + columns.file_offset(column), run);
      if (header_.swapped) swap_bytes(run, static_cast<std::size_t>(columns.size));
      place(columns, run, column, many, begin, out);
      progress.add(many * (end - begin) * columns.size);
    }
  }

  /// Position by position along the slab axis, so that neighbouring columns fill rows of `out`.
  void place(const Columns& columns, const std::vector<std::byte>& run, std::int64_t column,
             std::int64_t many, std::int64_t begin, Image& out) const {
    const std::int64_t step = description.shape.z > 1 ? out.pitch().slice : out.pitch().row;
    std::vector<std::byte*> starts;
    for (std::int64_t i = 0; i < many; ++i) starts.push_back(columns.start(column + i, out));
    const auto size = static_cast<std::size_t>(columns.size);
    for (std::int64_t position = 0; position < slab_length_of(out); ++position) {
      const std::byte* from = run.data() + (begin - columns.first + position) * columns.size;
      for (std::byte* start : starts) {
        if (start != nullptr) std::memcpy(start + position * step, from, size);
        from += columns.length * columns.size;
      }
    }
  }

  std::int64_t slab_length_of(const Image& out) const {
    return description.shape.z > 1 ? out.shape().z : out.shape().y;
  }

  const NpyHeader header_;
};

class NpySink final : public Writer::Sink {
 public:
  NpySink(AtomicFile opened, const Description& announced) : Sink(std::move(opened), announced) {
    file.write(npy_header_text(description));
  }
  void append(const Image& slab, Progress& progress) override { write_raw(file, slab, progress); }
};

}  // namespace

std::unique_ptr<Reader::Source> open_npy(InputFile file, const ReadOptions& options) {
  return std::make_unique<NpySource>(std::move(file), options);
}

std::unique_ptr<Writer::Sink> create_npy(AtomicFile file, const Description& description) {
  file.check_room(description.bytes());
  return std::make_unique<NpySink>(std::move(file), description);
}

}  // namespace meander::io
