// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <limits>
#include <vector>

#include "io/file/size_check.hpp"
#include "io/image/pixel_rows.hpp"
#include "io/image/spacing.hpp"
#include "io/tiff/decoder.hpp"
#include "io/tiff/notes.hpp"
#include "io/tiff/page.hpp"
#include "io/tiff/planes.hpp"
#include "io/tiff/tiff.hpp"

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

/// The length that the resolution is given in; nothing for none.
std::optional<Length> resolution_length(const TiffStructure& structure,
                                        const TiffDirectory& directory) {
  constexpr std::uint64_t inch = 2, centimetre = 3;
  const std::uint64_t unit = structure.integer(directory, tiff_tag::resolution_unit, 1);
  if (unit == inch) return Length{Unit::millimetre, 25.4};
  if (unit == centimetre) return Length{Unit::centimetre, 1};
  return {};
}

/// Only what ImageJ or Meander wrote: a bare resolution is for printers.
Spacing spacing_of_page(const TiffStructure& structure, const TiffDirectory& directory,
                        const ImageJNotes& imagej) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  const auto x = structure.rational(directory, tiff_tag::x_resolution);
  const auto y = structure.rational(directory, tiff_tag::y_resolution);
  if (imagej.exact && x == nearest_rational(1 / imagej.exact->x, most) &&
      y == nearest_rational(1 / imagej.exact->y, most)) {
    return *imagej.exact;
  }
  Spacing spacing;
  const auto length = resolution_length(structure, directory);
  if (!imagej.unit.empty()) {
    spacing = spacing_of_tags(x, y, length_named(imagej.unit).value_or(Length{}));
  } else if (x && y && length) {
    spacing = spacing_of_tags(x, y, *length);
  }
  if (imagej.slice_distance) spacing.z = *imagej.slice_distance;
  return spacing;
}

std::string print_density_of(const TiffStructure& structure, const TiffDirectory& directory) {
  const auto x = structure.rational(directory, tiff_tag::x_resolution);
  const auto y = structure.rational(directory, tiff_tag::y_resolution);
  const auto length = resolution_length(structure, directory);
  if (!x || !y || !length) return {};
  const auto quotient = [](const Rational& r) { return double(r.numerator) / r.denominator; };
  return density_text(quotient(*x), quotient(*y),
                      length->unit == Unit::centimetre ? "centimetre" : "inch");
}

/// The part of an image's channels from `first` on. Shares the pixels, which must outlive it.
Image channels_of(Image& image, int first, int count) {
  if (count == image.channels()) return image;
  Description part = image.description();
  part.channels = count;
  return Image::wrap(image.mutable_row_bytes(0, 0, first), part, image.pitch());
}

/// Numbers of a page, all of which an image holds exactly.
void convert(const Image& stored, StoredType type, Image out) {
  for (int c = 0; c < out.channels(); ++c) {
    for (std::int64_t y = 0; y < out.shape().y; ++y) {
      unpack({.first = stored.row_bytes(y, 0, c), .count = out.shape().x}, type, {},
             out.mutable_row_bytes(y, 0, c));
    }
  }
}

/// Bytes of a page as what they stand for.
void look_up(const Image& stored, const std::vector<std::uint8_t>& palette, Image out) {
  const auto colours = static_cast<std::size_t>(out.channels());
  for (int c = 0; c < out.channels(); ++c) {
    const std::uint8_t* const first = palette.data() + c;
    for (std::int64_t y = 0; y < out.shape().y; ++y) {
      std::ranges::transform(
          std::span(stored.row_bytes(y, 0), static_cast<std::size_t>(out.shape().x)),
          out.mutable_row_bytes(y, 0, c), [&](std::byte index) {
            return std::byte{first[std::to_integer<std::size_t>(index) * colours]};
          });
    }
  }
}

class TiffSource final : public Reader::Source {
 public:
  explicit TiffSource(InputFile opened)
      : Source(std::move(opened)), structure_(file), decoder_(file) {
    structure_.each_directory([this](const TiffDirectory& found) { add_directory(found); });
    if (full_.empty()) file.malformed("found a TIFF without a page of full resolution");
    arrange();
    const TiffPage& page = pages_.front();
    description.shape = {page.width, page.height, planes_.size[1]};
    description.channels = channels_on(page);
    description.type = arriving_type(page.stored);
    film = {planes_.size[2], planes_.seconds};
    if (!ome_ && (!imagej_ || !imagej_->names_axes())) slicing = Slicing::unknown;
    picks_channels = page.colours == 1;
    orientation = page.orientation;
    has_alpha = page.has_alpha && description.channels == 4;
    check_sizes();
  }

  void read(const Corner& from, Image& out, Progress& progress) override {
    const int colours = pages_.front().colours;
    for (std::int64_t z = 0; z < out.shape().z; ++z) {
      Image slice = out.slices(z, z + 1);
      for (int c = 0; c < out.channels(); c += colours) {
        Image part = channels_of(slice, c, colours);
        const int plane = (from.channel + c) / colours;
        const std::int64_t place = planes_.place(plane, from.z + z, from.frame);
        if (pages_.front().arrives_as_stored()) {
          read_plane(place, from, part, progress);
        } else {
          read_converted(place, from, part, progress);
        }
      }
    }
  }

 private:
  void add_directory(const TiffDirectory& found) {
    directories_.push_back(found.position);
    if (!is_full_page(structure_, found)) return;
    if (full_.empty()) take_notes(found);
    full_.push_back(found.position);
  }

  void take_notes(const TiffDirectory& directory) {
    const std::string text = structure_.text(directory, tiff_tag::description);
    imagej_ = imagej_notes(text);
    ome_ = ome_notes(text);
    const auto found = ome_ ? spacing_of(*ome_) : std::nullopt;
    if (found) {
      description.spacing = *found;
    } else if (imagej_) {
      description.spacing = spacing_of_page(structure_, directory, *imagej_);
    } else {
      print_density = print_density_of(structure_, directory);
    }
    if (imagej_ && imagej_->exact == description.spacing) {
      description.placement = imagej_->placement;
    }
  }

  TiffPage page_at(std::uint64_t position) const {
    return page_of(structure_, structure_.directory_at(position));
  }

  /// Which pages there are and in what order. Only numbers in OME-XML count all directories; what
  /// comes in turn are pages of full resolution.
  void arrange() {
    const auto& listed = ome_ && ome_->names_directories() ? directories_ : full_;
    const std::size_t start = ome_ ? first_directory(file, *ome_, listed.size()) : 0;
    const TiffPage first = page_at(listed[start]);
    const auto count = static_cast<std::int64_t>(listed.size());
    planes_ = ome_      ? ome_planes(file, *ome_, first, listed.size(), full_.size())
              : imagej_ ? imagej_planes(file, *imagej_, first, count)
                        : stack_planes(count);
    if (planes_.directories.empty()) {
      for (const std::uint64_t position : listed) add_page(position, first);
    }
    for (const std::size_t index : planes_.directories) add_page(listed[index], first);
  }

  void add_page(std::uint64_t position, const TiffPage& first) {
    const TiffPage page = page_at(position);
    if (!page.agrees_with(first)) {
      file.malformed("page ", pages_.size() + 1, " has ", page.width, "x", page.height, "x",
                     page.colours, " ", page.bits, "-bit ", name_of(page.stored), ", expected ",
                     first.width, "x", first.height, "x", first.colours, " ", first.bits, "-bit ",
                     name_of(first.stored), " as in page 1");
    }
    if (page.orientation != first.orientation) {
      file.unsupported("found page ", pages_.size() + 1, " stored in orientation ",
                       page.orientation, ", expected ", first.orientation, " as in page 1");
    }
    pages_.push_back(page);
  }

  int channels_on(const TiffPage& page) const {
    constexpr std::int64_t most = 65535;
    if (planes_.size[0] > most / page.colours) {
      file.unsupported("found ", planes_.size[0], " times ", page.colours,
                       " channels, expected at most ", most);
    }
    return static_cast<int>(planes_.size[0]) * page.colours;
  }

  std::int64_t plane_bytes() const {
    const TiffPage& page = pages_.front();
    return page.height * page.chunk_row_bytes();
  }

  StoredSize stored() const {
    return {.number_bytes = bytes_of(pages_.front().stored), .frames = film.frames};
  }

  /// Bytes of pixels that so many bytes of the file stand for at most.
  std::int64_t unpacked(std::int64_t bytes) const {
    const TiffPage& page = pages_.front();
    const int pixels = page.has_small_samples() ? 8 / page.bits : 1;
    return expanded(bytes, pixels * page.colours / page.samples);
  }

  /// Claims against the file's size first; only what passes has its lists of strips read.
  void check_sizes() {
    const bool compressed =
        std::ranges::any_of(pages_, [](const TiffPage& page) { return page.compressed(); });
    check_claim(file, description, stored(),
                unpacked(compressed ? expanded(file.size(), best_ratio) : file.size()));
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
    if (!planes_.contiguous) return;
    const auto begin = static_cast<std::int64_t>(positions.front());
    check_claim(file, description, stored(), unpacked(file.size() - begin));
    for (std::size_t i = 1; i < positions.size(); ++i) {
      if (gap_after(page, positions, i - 1) == 0) continue;
      file.malformed("found an ImageJ stack on one page whose strips have gaps");
    }
  }
  /// A tile may reach beyond the image, and so may its claim.
  void check_chunks(const TiffPage& page) {
    Description chunk = description;
    chunk.type = page.type;
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

  /// Some rows at a time, but not fewer than a row of tiles, which would be decoded again.
  void read_converted(std::int64_t place, const Corner& from, Image& out, Progress& progress) {
    const TiffPage& page = pages_.front();
    Description band = out.description();
    band.type = page.type;
    band.channels = page.samples;
    band.shape.y = std::max(bytes_per_step / row_bytes(out), page.tiled ? page.chunk_height : 1);
    band.shape.y = std::min(band.shape.y, out.shape().y);
    check_budget(file, band);
    const Image stored = Image::allocate(band);
    const auto palette = page.has_palette() ? palette_of(structure_, page_of_plane(place))
                                            : std::vector<std::uint8_t>();
    for (std::int64_t y = 0; y < out.shape().y; y += band.shape.y) {
      const std::int64_t end = std::min(y + band.shape.y, out.shape().y);
      Image rows = stored.rows(0, end - y);
      Corner corner = from;
      corner.y += y;
      read_plane(place, corner, rows, progress);
      if (page.has_palette()) {
        look_up(rows, palette, out.rows(y, end));
      } else {
        convert(rows, page.stored, out.rows(y, end));
      }
      progress.add((end - y) * (row_bytes(out) - row_bytes(rows)));
    }
  }

  const TiffPage& page_of_plane(std::int64_t place) const {
    return pages_[planes_.contiguous ? 0 : static_cast<std::size_t>(place)];
  }

  /// Plane number `place` of those that follow each other, or of the list of pages.
  void read_plane(std::int64_t place, const Corner& from, Image& out, Progress& progress) {
    const std::int64_t shift = planes_.contiguous ? place * plane_bytes() : 0;
    read_rows(page_of_plane(place), shift, from, out, progress);
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
  std::vector<std::uint64_t> directories_;  ///< Positions of all of the chain.
  std::vector<std::uint64_t> full_;         ///< Of those that are neither thumbnails nor masks.
  std::vector<TiffPage> pages_;
  std::optional<ImageJNotes> imagej_;
  std::optional<OmeNotes> ome_;
  TiffPlanes planes_;
};

}  // namespace

std::unique_ptr<Reader::Source> open_tiff(InputFile file, const ReadOptions&) {
  return std::make_unique<TiffSource>(std::move(file));
}

}  // namespace meander::io
