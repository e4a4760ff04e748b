// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/image/raw_sink.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "io/file/spill_file.hpp"
#include "io/image/pixel_rows.hpp"

namespace meander::io {
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
