// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/image/raw.hpp"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "core/parallel_for.hpp"
#include "io/file/deflate.hpp"
#include "io/file/size_check.hpp"
#include "io/file/spill_file.hpp"
#include "io/image/pixel_rows.hpp"
#include "io/image/placement.hpp"
#include "meander/device.hpp"

namespace meander::io {
namespace {

/// Between two cancel points, where all threads read; longer rows are read by one.
constexpr std::int64_t bytes_of_thread = bytes_per_step / 4;

class RawSource final : public Reader::Source {
 public:
  RawSource(InputFile header, std::optional<InputFile> data, const RawImage& image)
      : Source(std::move(header)), data_(std::move(data)), layout_(image.layout) {
    description = image.description;
    description.type = arriving_type(layout_.type, layout_.scaling);
    film = image.film;
    picks_channels = true;
    check();
    if (layout_.compression != Compression::none) stream_.emplace(numbers(), layout_.data_begin);
  }

  void read(const Corner& from, Image& out, Progress& progress) override {
    if (interleaved()) return read_slices(from, out, progress);
    // In the order of the file, so that a compressed one is gone through once.
    for (int c = 0; c < out.channels(); ++c) {
      Image plane = out.channel(c);
      Corner corner = from;
      corner.channel += c;
      read_slices(corner, plane, progress);
    }
  }

 private:
  const InputFile& numbers() const { return data_ ? *data_ : file; }
  std::int64_t number_bytes() const { return bytes_of(layout_.type); }
  std::int64_t stored_bytes() const { return description.numbers() * film.frames * number_bytes(); }
  bool interleaved() const { return layout_.channel_step == 1 && description.channels > 1; }
  std::int64_t x_step() const { return interleaved() ? description.channels : 1; }
  bool is_plain() const {
    return layout_.compression == Compression::none && layout_.scaling.is_identity() &&
           stored_type(description.type) == layout_.type;
  }

  void check() const {
    if (description.placement && !is_regular(*description.placement)) {
      file.malformed(
          "places its axes in one plane, at no distance or nowhere, expected three ways "
          "through space");
    }
    if (numbers().size() < layout_.data_begin) {
      numbers().malformed("found ", numbers().size(), " bytes, expected pixels from byte ",
                          layout_.data_begin, " on");
    }
    std::int64_t available = numbers().size() - layout_.data_begin;
    if (layout_.compression != Compression::none) available = expanded(available, deflate_ratio);
    check_claim(numbers(), description, {.number_bytes = number_bytes(), .frames = film.frames},
                std::max<std::int64_t>(0, available - layout_.skipped));
  }

  std::int64_t offset_of(const Corner& at) const {
    const std::int64_t index = at.x * x_step() + at.y * layout_.y_step + at.z * layout_.z_step +
                               at.channel * layout_.channel_step + at.frame * layout_.frame_step;
    return layout_.skipped + index * number_bytes();
  }

  void read_slices(const Corner& from, Image& out, Progress& progress) {
    const bool is_raw = is_plain() && !interleaved();
    if (is_raw && row_bytes(out) <= bytes_of_thread) return read_plain(from, out, progress);
    for (std::int64_t z = 0; z < out.shape().z; ++z) {
      Image slice = out.slices(z, z + 1);
      Corner corner = from;
      corner.z += z;
      if (is_raw) {
        read_raw_rows(numbers(), layout_.data_begin + offset_of(corner),
                      layout_.y_step * number_bytes(), layout_.swapped, slice, progress);
      } else {
        read_rows(corner, slice, progress);
      }
    }
  }

  /// So many bytes a thread at a time: a copy from the system's cache, and the pages of memory
  /// that nobody has touched yet, keep one thread busy for longer than a disk may.
  void read_plain(const Corner& from, Image& out, Progress& progress) {
    const Shape& shape = out.shape();
    const std::int64_t rows =
        std::clamp<std::int64_t>(bytes_of_thread / row_bytes(out), 1, shape.y);
    const std::int64_t pieces = (shape.y + rows - 1) / rows, tasks = pieces * shape.z;
    const auto read_piece = [&](std::int64_t task) {
      const std::int64_t z = task / pieces, y = task % pieces * rows;
      Image piece = out.slices(z, z + 1).rows(y, std::min(y + rows, shape.y));
      Corner corner = from;
      corner.z += z;
      corner.y += y;
      const Control unheard;
      Progress unseen(unheard, 0);
      read_raw_rows(numbers(), layout_.data_begin + offset_of(corner),
                    layout_.y_step * number_bytes(), layout_.swapped, piece, unseen);
      return piece.shape().y * row_bytes(out);
    };
    // Slices may be small: as many of them as make that.
    const std::int64_t of_thread =
        std::max<std::int64_t>(1, bytes_of_thread / (rows * row_bytes(out)));
    const std::int64_t at_once = of_thread * threads();
    for (std::int64_t first = 0; first < tasks; first += at_once) {
      const std::int64_t end = std::min(first + at_once, tasks);
      std::atomic<std::int64_t> bytes = 0;
      parallel_for((end - first + of_thread - 1) / of_thread, [&](std::int64_t i) {
        const std::int64_t begin = first + i * of_thread;
        for (std::int64_t task = begin; task < std::min(begin + of_thread, end); ++task) {
          bytes += read_piece(task);
        }
      });
      progress.add(bytes);
    }
  }

  /// Some rows at a time where they are wanted whole, otherwise the part of each that is wanted.
  void read_rows(const Corner& from, Image& out, Progress& progress) {
    const std::int64_t width = out.shape().x * x_step() * number_bytes();
    const bool whole = out.shape().x * x_step() == layout_.y_step;
    const std::int64_t together =
        whole ? std::max<std::int64_t>(1, bytes_per_step / width) : std::int64_t{1};
    std::vector<std::byte> rows;
    for (std::int64_t y = 0; y < out.shape().y; y += together) {
      const std::int64_t count = std::min(together, out.shape().y - y);
      rows.resize(static_cast<std::size_t>(count * width));
      Corner corner = from;
      corner.y += y;
      if (interleaved()) corner.channel = 0;
      fetch(offset_of(corner), rows, progress);
      Image part = out.rows(y, y + count);
      place(rows, interleaved() ? from.channel : 0, part);
      progress.add(count * row_bytes(out));
    }
  }

  void fetch(std::int64_t offset, std::span<std::byte> into, Progress& progress) {
    if (stream_) {
      stream_->read(offset, into, &progress);
      const auto end = offset + static_cast<std::int64_t>(into.size());
      if (end == layout_.skipped + stored_bytes()) stream_->check_end();
    } else {
      numbers().read(layout_.data_begin + offset, into);
    }
    if (layout_.swapped) swap_bytes(into, static_cast<std::size_t>(number_bytes()));
  }

  /// Rows of the file, all channels of them where those are neighbours, into `out`.
  void place(std::span<const std::byte> rows, int first_channel, Image& out) const {
    const std::int64_t width = out.shape().x * x_step() * number_bytes();
    for (std::int64_t y = 0; y < out.shape().y; ++y) {
      for (int c = 0; c < out.channels(); ++c) {
        const StoredNumbers stored{
            .first = rows.data() + y * width + (first_channel + c) * number_bytes(),
            .step = x_step(),
            .count = out.shape().x};
        if (unpack(stored, layout_.type, layout_.scaling, out.mutable_row_bytes(y, 0, c))) continue;
        numbers().unsupported("found a number beyond 2^53, expected ", name_of(layout_.type),
                              " numbers that f64 holds exactly");
      }
    }
  }

  const std::optional<InputFile> data_;
  const RawLayout layout_;
  std::optional<InflateStream> stream_;
};

}  // namespace

std::int64_t step_over(std::int64_t step, std::int64_t count) {
  std::int64_t product = 0;
  const bool is_beyond = __builtin_mul_overflow(step, count, &product);
  return is_beyond ? 0 : product;
}

void set_interleaved(RawLayout& layout, const Description& description) {
  layout.channel_step = 1;
  layout.y_step = step_over(description.channels, description.shape.x);
  layout.z_step = step_over(layout.y_step, description.shape.y);
  layout.frame_step = step_over(layout.z_step, description.shape.z);
}

void set_planar(RawLayout& layout, const Description& description, const Film& film) {
  layout.y_step = description.shape.x;
  layout.z_step = step_over(layout.y_step, description.shape.y);
  layout.frame_step = step_over(layout.z_step, description.shape.z);
  layout.channel_step = step_over(layout.frame_step, film.frames);
}

std::unique_ptr<Reader::Source> open_raw(InputFile header, std::optional<InputFile> data,
                                         const RawImage& image) {
  return std::make_unique<RawSource>(std::move(header), std::move(data), image);
}

namespace {

class RawSink final : public Writer::Sink {
 public:
  RawSink(AtomicFile opened, const Description& announced, const WriteOptions& options,
          RawRecipe recipe)
      : Sink(std::move(opened), announced, options.film), recipe_(std::move(recipe)) {
    if (recipe_.data) data_.emplace(*recipe_.data);
    if (recipe_.compression == Compression::none) target().check_room(all_bytes());
    if (!recipe_.header_too) file.write(recipe_.header);
    stream_.emplace(target(), recipe_.compression);
    if (recipe_.header_too) stream_->write(recipe_.header);
    if (later_channels() > 0) {
      waiting_ = SpillFile(file.path().parent_path(), plane_bytes() * later_channels());
    }
  }

  void append(const Image& slab, Progress& progress) override {
    const auto to_stream = [&](std::span<const std::byte> bytes) { stream_->write(bytes); };
    if (!recipe_.planar) return write_raw(to_stream, slab, progress);
    write_raw(to_stream, slab.channel(0), progress);
    for (int c = 1; c < slab.channels(); ++c) {
      std::int64_t at = (c - 1) * plane_bytes() + spilled_;
      write_raw(
          [&](std::span<const std::byte> bytes) {
            waiting_.write(at, bytes);
            at += static_cast<std::int64_t>(bytes.size());
          },
          slab.channel(c), progress);
    }
    spilled_ += slab.description().bytes() / slab.channels();
  }

  void complete() override {
    append_waiting();
    stream_->finish();
    if (recipe_.size_at) {
      const std::string size = std::to_string(stream_->written());
      file.overwrite(*recipe_.size_at, std::string(20 - size.size(), '0') + size);
    }
    if (data_) data_->commit();
  }

 private:
  AtomicFile& target() { return data_ ? *data_ : file; }
  std::int64_t all_bytes() const { return description.bytes() * film.frames; }
  std::int64_t plane_bytes() const { return all_bytes() / description.channels; }
  int later_channels() const { return recipe_.planar ? description.channels - 1 : 0; }

  void append_waiting() {
    const std::int64_t end = plane_bytes() * later_channels();
    std::vector<std::byte> piece;
    for (std::int64_t at = 0; at < end; at += bytes_per_step) {
      piece.resize(static_cast<std::size_t>(std::min(bytes_per_step, end - at)));
      waiting_.read(at, piece);
      stream_->write(piece);
    }
  }

  const RawRecipe recipe_;
  std::optional<AtomicFile> data_;
  std::optional<DeflateStream> stream_;
  SpillFile waiting_;         ///< Channels that have to come after all of the first one.
  std::int64_t spilled_ = 0;  ///< Bytes of each of them so far.
};

}  // namespace

std::unique_ptr<Writer::Sink> create_raw(AtomicFile file, const Description& description,
                                         const WriteOptions& options, const RawRecipe& recipe) {
  return std::make_unique<RawSink>(std::move(file), description, options, recipe);
}

}  // namespace meander::io
