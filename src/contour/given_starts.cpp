// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/starts.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "core/message.hpp"
#include "meander/error.hpp"

namespace meander {
namespace {

/// Whether all pixels that are not 0 have one value.
bool has_one_value(const Image& mask) {
  return visit(mask.type(), [&]<class T>(std::type_identity<T>) {
    double value = 0;
    for (std::int64_t y = 0; y < mask.shape().y; ++y) {
      const T* row = mask.row<T>(y);
      for (std::int64_t x = 0; x < mask.shape().x; ++x) {
        const double found = to_double(row[x]);
        if (found == 0 || found == value || (std::isnan(found) && std::isnan(value))) continue;
        if (value != 0) return false;
        value = found;
      }
    }
    return true;
  });
}

std::vector<Region> parts_of_labels(const Image& labels, const Control& control) {
  std::vector<Region> regions;
  for (LabelledRegion& part : regions_of_labels(labels, control)) {
    regions.push_back(std::move(part.region));
  }
  return regions;
}

/// What starts hold, found by painting them in order and in reverse: where two overlap the later
/// one shows once and the earlier one once.
class HeldPixels {
 public:
  HeldPixels(const std::vector<Region>& starts, const ImagePart& part)
      : part_(part), holds_(starts.size() + 1) {
    for (std::size_t i = 0; i < starts.size(); ++i) {
      ordered_.push_back({static_cast<std::int64_t>(i) + 1, starts[i]});
    }
    reversed_.assign(ordered_.rbegin(), ordered_.rend());
  }

  void add_rows(const Description& rows, std::int64_t begin, const Control& control) {
    Image last = Image::allocate(rows), first = Image::allocate(rows);
    fill_labels(ordered_, last, begin, control);
    fill_labels(reversed_, first, begin, control);
    for (std::int64_t y = 0; y < rows.shape.y; ++y) {
      const auto *later = last.row<std::uint16_t>(y), *earlier = first.row<std::uint16_t>(y);
      for (std::int64_t x = 0; x < rows.shape.x; ++x) {
        if (earlier[x] != later[x]) refuse_overlap(earlier[x], later[x], x, begin + y);
        holds_[later[x]] = true;
      }
    }
  }

  bool has_background() const { return holds_[0]; }
  bool is_held(std::size_t start) const { return holds_[start + 1]; }

 private:
  [[noreturn]] void refuse_overlap(int a, int b, std::int64_t x, std::int64_t y) const {
    throw InvalidArgument(message("outlines ", a, " and ", b, " both hold pixel ", part_.left + x,
                                  ",", part_.top + y, ", expected starts that do not overlap"));
  }

  const ImagePart part_;
  std::vector<LabelledRegion> ordered_, reversed_;
  std::vector<bool> holds_;  ///< The background, then each start.
};

/// Those that hold a pixel; that others do not is an error unless it is to be expected.
std::vector<Region> held_ones(const std::vector<Region>& starts, const HeldPixels& held,
                              bool is_part) {
  std::vector<Region> kept;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (held.is_held(i)) {
      kept.push_back(starts[i]);
    } else if (starts.size() == 1) {
      throw InvalidArgument("the outline holds no pixel of the image");
    } else if (!is_part) {
      throw InvalidArgument(
          message("outline ", i + 1, " of ", starts.size(), " holds no pixel of the image"));
    }
  }
  if (kept.empty()) throw InvalidArgument("no outline holds a pixel of the image");
  return kept;
}

}  // namespace

std::vector<Region> starts_of_mask(const Image& mask, const Control& control) {
  std::vector<Region> regions =
      has_one_value(mask) ? regions_of_mask(mask, control) : parts_of_labels(mask, control);
  if (regions.empty()) {
    throw InvalidArgument("every pixel of the mask is 0, expected a part that is not");
  }
  if (regions.size() > most_outlines) {
    throw Unsupported(
        message("a mask with ", regions.size(), " parts, expected at most ", most_outlines));
  }
  return regions;
}

void check_starts(std::vector<Region>& starts, const Shape& image, const ImagePart& part,
                  const Control& control) {
  if (starts.empty()) return;
  if (starts.size() > most_outlines) {
    throw Unsupported(message(starts.size(), " starts, expected at most ", most_outlines));
  }
  constexpr std::int64_t slab_bytes = std::int64_t{16} << 20;
  Description rows{.shape = {image.x, 1, 1}, .type = PixelType::u16};
  const std::int64_t step = std::max<std::int64_t>(1, slab_bytes / padded_bytes(rows));
  HeldPixels held(starts, part);
  for (std::int64_t begin = 0; begin < image.y; begin += step) {
    control.step(static_cast<double>(begin) / static_cast<double>(image.y));
    rows.shape.y = std::min(step, image.y - begin);
    held.add_rows(rows, begin, {.stop = control.stop});
  }
  std::vector<Region> kept = held_ones(starts, held, !part.is_whole);
  if (!held.has_background()) {
    throw InvalidArgument(kept.size() == 1 ? "the outline holds all pixels of the image"
                                           : "the outlines hold all pixels of the image");
  }
  starts = std::move(kept);
}

std::vector<Curve> curves_around(const std::vector<Region>& parts, double point_spacing) {
  // As many as a curve has at least.
  constexpr double fewest_points = 8;
  std::vector<Curve> curves, specks;
  for (const Region& part : parts) {
    const bool is_speck = part.outer.perimeter() < fewest_points * point_spacing;
    (is_speck ? specks : curves).push_back({.points = part.outer.vertices});
  }
  return curves.empty() ? specks : curves;
}

}  // namespace meander
