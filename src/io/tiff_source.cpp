// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <limits>
#include <vector>

#include "io/claim.hpp"
#include "io/pixel_rows.hpp"
#include "io/spacing.hpp"
#include "io/tiff.hpp"
#include "io/tiff_decoder.hpp"
#include "io/tiff_notes.hpp"
#include "io/tiff_page.hpp"

namespace meander::io {
namespace {

/// The most that a byte of a compressed file may claim to become. Of what libtiff reads Zstandard
/// expands most: a run of 128 KiB takes 4 bytes, 2^15 to one; LZMA reaches some 7000, LZW 2700 and
/// deflate 1032.
constexpr std::int64_t best_ratio = std::int64_t{1} << 16;

/// Spacing by the tags every TIFF may have. They know no z, which is left at 1.
Spacing spacing_of_tags(const std::optional<Rational>& x, const std::optional<Rational>& y,
                        const Length& per) {
  const auto step = [&](const std::optional<Rational>& resolution) {
    if (!resolution) return 1.0;
    return per.factor * resolution->denominator / resolution->numerator;
  };
  return {step(x), step(y), 1, per.unit};
}

Spacing spacing_of_page(const TiffStructure& structure, const TiffDirectory& directory,
                        const std::optional<ImageJNotes>& imagej) {
  constexpr std::uint64_t inch = 2, centimetre = 3;
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  const auto x = structure.rational(directory, tiff_tag::x_resolution);
  const auto y = structure.rational(directory, tiff_tag::y_resolution);
  if (imagej && imagej->exact && x == nearest_rational(1 / imagej->exact->x, most) &&
      y == nearest_rational(1 / imagej->exact->y, most)) {
    return *imagej->exact;
  }
  Spacing spacing;
  const std::uint64_t unit = structure.integer(directory, tiff_tag::resolution_unit, 1);
  if (imagej && !imagej->unit.empty()) {
    spacing = spacing_of_tags(x, y, length_named(imagej->unit).value_or(Length{}));
  } else if (x && y && (unit == inch || unit == centimetre)) {
    spacing = spacing_of_tags(
        x, y, unit == inch ? Length{Unit::millimetre, 25.4} : Length{Unit::centimetre, 1});
  }
  if (imagej && imagej->slice_distance) spacing.z = *imagej->slice_distance;
  return spacing;
}

class TiffSource final : public Reader::Source {
 public:
  explicit TiffSource(InputFile opened)
      : Source(std::move(opened)), structure_(file), decoder_(file) {
    structure_.each_directory([this](const TiffDirectory& directory) { add_page(directory); });
    if (pages_.empty()) file.malformed("found a TIFF without a page of full resolution");
    check_order();
    const TiffPage& page = pages_.front();
    description.shape = {page.width, page.height, slices()};
    description.channels = page.samples;
    description.type = page.type;
    check_sizes();
  }

  void read(const Corner& from, Image& out, Progress& progress) override {
    for (std::int64_t z = 0; z < out.shape().z; ++z) {
      Image slice = out.slices(z, z + 1);
      const std::int64_t index = from.z + z;
      if (contiguous_) {
        read_rows(pages_.front(), index * slice_bytes(), from, slice, progress);
      } else {
        read_rows(pages_[static_cast<std::size_t>(index)], 0, from, slice, progress);
      }
    }
  }

 private:
  void add_page(const TiffDirectory& directory) {
    if (!is_full_page(structure_, directory)) return;
    const TiffPage page = page_of(structure_, directory);
    if (pages_.empty()) {
      take_notes(directory);
    } else if (!page.agrees_with(pages_.front())) {
      const TiffPage& first = pages_.front();
      file.malformed("page ", pages_.size() + 1, " has ", page.width, "x", page.height, "x",
                     page.samples, " ", name_of(page.type), ", expected ", first.width, "x",
                     first.height, "x", first.samples, " ", name_of(first.type), " as in page 1");
    }
    pages_.push_back(page);
  }

  void take_notes(const TiffDirectory& directory) {
    const std::string text = structure_.text(directory, tiff_tag::description);
    imagej_ = imagej_notes(text);
    ome_ = ome_notes(text);
    std::optional<Spacing> found = ome_ ? spacing_of(*ome_) : std::nullopt;
    description.spacing = found ? *found : spacing_of_page(structure_, directory, imagej_);
  }

  /// Pages are slices. Where notes say that they are channels or points in time as well, the file
  /// is refused rather than read in an order that nobody meant; frames alone may serve as slices.
  void check_order() {
    const auto pages = static_cast<std::int64_t>(pages_.size());
    const TiffPage& page = pages_.front();
    if (imagej_) {
      contiguous_ = pages == 1 && imagej_->images > 1 && page.is_plain() && !page.separate_planes;
      const bool channels = imagej_->channels > 1 && imagej_->channels != page.samples;
      if (channels || (imagej_->slices > 1 && imagej_->frames > 1)) {
        file.unsupported("found an ImageJ hyperstack of ", imagej_->channels, " channels, ",
                         imagej_->slices, " slices and ", imagej_->frames,
                         " frames, expected slices or frames alone");
      }
    }
    if (ome_ && ome_->size_z != pages) {
      file.unsupported("found an OME-TIFF of ", ome_->size_z, " slices, ", ome_->size_c,
                       " channels and ", ome_->size_t, " points in time on ", pages,
                       " pages, expected one page for each slice");
    }
  }

  std::int64_t slices() const {
    return contiguous_ ? imagej_->images : static_cast<std::int64_t>(pages_.size());
  }
  std::int64_t slice_bytes() const { return description.bytes() / description.shape.z; }

  /// Claims against the file's size first; only what passes has its lists of strips read.
  void check_sizes() {
    const bool compressed =
        std::ranges::any_of(pages_, [](const TiffPage& page) { return page.compressed(); });
    check_claim(file, description, compressed ? expanded(file.size(), best_ratio) : file.size());
    for (const TiffPage& page : pages_) {
      TiffDecoder::check_codec(file, page);
      if (page.is_plain()) {
        check_strips(page);
      } else {
        check_chunks(page);
      }
    }
  }
  void check_strips(const TiffPage& page) {
    const auto positions = strip_positions(structure_, page);
    if (!contiguous_) return;
    const auto begin = static_cast<std::int64_t>(positions.front());
    check_claim(file, description, file.size() - begin);
    for (std::size_t i = 1; i < positions.size(); ++i) {
      if (gap_after(page, positions, i - 1) == 0) continue;
      file.malformed("found an ImageJ stack on one page whose strips have gaps");
    }
  }
  /// A tile may reach beyond the image, and so may its claim.
  void check_chunks(const TiffPage& page) {
    Description chunk = description;
    chunk.shape = {page.chunk_width, page.tiled ? page.chunk_height : 1, 1};
    chunk.channels = page.samples_in_chunk();
    check_claim(file, chunk, expanded(file.size(), best_ratio));
    check_budget(file, chunk);
    check_buffer(file, largest_chunk(structure_, page));
    const auto count = static_cast<std::uint64_t>(page.chunks());
    if (page.offsets.count < count || count > std::numeric_limits<std::uint32_t>::max()) {
      file.malformed("found positions of ", page.offsets.count, " TIFF tiles or strips, expected ",
                     count);
    }
  }

  static std::int64_t gap_after(const TiffPage& page, const std::vector<std::uint64_t>& positions,
                                std::size_t strip) {
    const auto length = static_cast<std::uint64_t>(page.chunk_height * page.chunk_row_bytes());
    return static_cast<std::int64_t>(positions[strip + 1] - positions[strip] - length);
  }

  void read_rows(const TiffPage& page, std::int64_t shift, const Corner& from, Image& out,
                 Progress& progress) {
    if (!page.is_plain()) return decoder_.read(page, from, out, progress);
    const auto positions = strip_positions(structure_, page);
    if (!page.separate_planes) return read_strips(page, positions, shift, from, out, progress);
    const auto strips = static_cast<std::size_t>(page.chunks_down());
    for (int plane = 0; plane < page.samples; ++plane) {
      const auto first = positions.begin() + static_cast<std::ptrdiff_t>(strips) * plane;
      Image part = out.channel(plane);
      read_strips(page, {first, first + static_cast<std::ptrdiff_t>(strips)}, shift, from, part,
                  progress);
    }
  }

  /// Strips that follow each other in the file are read as one.
  void read_strips(const TiffPage& page, const std::vector<std::uint64_t>& positions,
                   std::int64_t shift, const Corner& from, Image& out, Progress& progress) {
    const std::int64_t end = from.y + out.shape().y;
    const std::int64_t beside = from.x * pixel_bytes(out);
    std::int64_t row = from.y;
    while (row < end) {
      auto strip = static_cast<std::size_t>(row / page.chunk_height);
      const std::int64_t inside = row % page.chunk_height * page.chunk_row_bytes();
      const std::int64_t offset =
          static_cast<std::int64_t>(positions[strip]) + inside + beside + shift;
      while (strip + 1 < positions.size() && gap_after(page, positions, strip) == 0) ++strip;
      const std::int64_t stop =
          std::min(end, (static_cast<std::int64_t>(strip) + 1) * page.chunk_height);
      Image part = out.rows(row - from.y, stop - from.y);
      read_raw_rows(file, offset, page.chunk_row_bytes(), structure_.swapped(), part, progress);
      row = stop;
    }
  }

  const TiffStructure structure_;
  TiffDecoder decoder_;
  std::vector<TiffPage> pages_;
  std::optional<ImageJNotes> imagej_;
  std::optional<OmeNotes> ome_;
  bool contiguous_ = false;  ///< One page, whose pixels all slices of an ImageJ stack follow.
};

}  // namespace

std::unique_ptr<Reader::Source> open_tiff(InputFile file, const ReadOptions&) {
  return std::make_unique<TiffSource>(std::move(file));
}

}  // namespace meander::io
