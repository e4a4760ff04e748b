// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/npy/npy.hpp"

#include <algorithm>
#include <cstring>

#include "io/file/size_check.hpp"
#include "io/image/pixel_rows.hpp"
#include "io/image/raw.hpp"

namespace meander::io {
namespace {

constexpr std::int64_t most_channels = 65535;  // as many as a TIFF can have

/// Axes of the array in file order as an image, or a film where there are five of them.
RawImage image_of(const InputFile& file, const NpyHeader& header, bool channels_last) {
  std::vector<std::int64_t> axes = header.shape;
  if (axes.empty() || axes.size() > 5) {
    file.unsupported("found an NPY array of ", axes.size(), " axes, expected 1 to 5");
  }
  if (std::ranges::count(axes, 0) > 0) file.malformed("found an NPY array without elements");
  RawImage image;
  Description& description = image.description;
  description.type = arriving_type(header.type);
  if (axes.size() == 5) {
    image.film.frames = axes.front();
    axes.erase(axes.begin());
  }
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
  image.layout.type = header.type;
  image.layout.swapped = header.swapped;
  image.layout.data_begin = header.data_offset;
  return image;
}

/// Which converts no numbers and knows no frames.
void check_columns(const InputFile& file, const NpyHeader& header) {
  if (header.shape.size() > 4) {
    file.unsupported("found an NPY array of 5 axes in Fortran order, expected C order");
  }
  if (stored_type(arriving_type(header.type)) != header.type) {
    file.unsupported("found NPY elements of ", name_of(header.type),
                     " in Fortran order, expected C order or another type");
  }
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

/// An array in Fortran order. Others are plain numbers like those of other formats.
class ColumnSource final : public Reader::Source {
 public:
  ColumnSource(InputFile opened, const NpyHeader& header, const Description& found)
      : Source(std::move(opened)), header_(header) {
    description = found;
    check_claim(file, description, file.size() - header_.data_offset);
  }

  void read(const Corner& from, Image& out, Progress& progress) override {
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

 private:
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
  NpySink(AtomicFile opened, const Description& announced, const Film& announced_film)
      : Sink(std::move(opened), announced, announced_film) {
    file.write(npy_header_text(description, film));
  }
  void append(const Image& slab, Progress& progress) override { write_raw(file, slab, progress); }
};

}  // namespace

std::unique_ptr<Reader::Source> open_npy(InputFile file, const ReadOptions& options) {
  const NpyHeader header = read_npy_header(file);
  RawImage image = image_of(file, header, options.channels_last);
  if (header.fortran_order) {
    check_columns(file, header);
    auto source = std::make_unique<ColumnSource>(std::move(file), header, image.description);
    source->slicing = Slicing::assumed;
    return source;
  }
  // Only a claim that fits the file has products that do not overflow.
  check_claim(file, image.description,
              {.number_bytes = bytes_of(header.type), .frames = image.film.frames},
              file.size() - header.data_offset);
  set_interleaved(image.layout, image.description);
  auto source = open_raw(std::move(file), std::nullopt, image);
  if (image.film.frames == 1) source->slicing = Slicing::assumed;
  return source;
}

std::unique_ptr<Writer::Sink> create_npy(AtomicFile file, const Description& description,
                                         const WriteOptions& options) {
  file.check_room(description.bytes() * options.film.frames);
  return std::make_unique<NpySink>(std::move(file), description, options.film);
}

}  // namespace meander::io
