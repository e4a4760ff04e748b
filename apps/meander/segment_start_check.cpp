// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "outline_file.hpp"
#include "segment.hpp"

namespace meander::app {
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
  HeldPixels(const std::vector<Region>& starts, const SegmentPlace& place)
      : place_(place), holds_(starts.size() + 1) {
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
    throw InvalidArgument(
        fmt::format("outlines {} and {} both hold pixel {},{}, expected starts that do not overlap",
                    a, b, place_.left + x, place_.top + y));
  }

  const SegmentPlace& place_;
  std::vector<LabelledRegion> ordered_, reversed_;
  std::vector<bool> holds_;  ///< The background, then each start.
};

/// Leaves those out that hold no pixel where that is to be expected; the others are an error.
void keep_held(std::vector<Region>& starts, const HeldPixels& held, bool is_part) {
  std::vector<Region> kept;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (held.is_held(i)) {
      kept.push_back(std::move(starts[i]));
    } else if (starts.size() == 1) {
      throw InvalidArgument("the outline holds no pixel of the image");
    } else if (!is_part) {
      throw InvalidArgument(
          fmt::format("outline {} of {} holds no pixel of the image", i + 1, starts.size()));
    }
  }
  if (kept.empty()) throw InvalidArgument("no outline holds a pixel of the image");
  starts = std::move(kept);
}

}  // namespace

std::vector<Region> regions_in(const std::string& path, const Image& mask, const Control& control) {
  std::vector<Region> regions =
      has_one_value(mask) ? regions_of_mask(mask, control) : parts_of_labels(mask, control);
  if (regions.empty()) {
    throw InvalidArgument("every pixel of the mask is 0, expected a part that is not");
  }
  if (regions.size() > most_starts) {
    throw Unsupported(fmt::format("{}: a mask with {} parts, expected at most {}", path,
                                  regions.size(), most_starts));
  }
  return regions;
}

void check_starts(Session& session, std::vector<Region>& starts, const Shape& image,
                  const SegmentPlace& place) {
  Description rows{.shape = image, .type = PixelType::u16};
  const SlabPlan plan = plan_slabs(rows.shape, 2 * padded_bytes(slab_step(rows)));
  HeldPixels held(starts, place);
  for_each_slab(session, plan, [&](std::int64_t begin, std::int64_t end, const Control& control) {
    rows.shape.y = end - begin;
    held.add_rows(rows, begin, {.stop = control.stop});
  });
  keep_held(starts, held, place.whole != image);
  if (held.has_background()) return;
  throw InvalidArgument(starts.size() == 1 ? "the outline holds all pixels of the image"
                                           : "the outlines hold all pixels of the image");
}

std::vector<Curve> curves_around(const std::vector<Region>& parts,
                                 const SegmentVerbOptions& given) {
  // As many as the model asks for.
  constexpr double fewest_points = 8;
  std::vector<Curve> curves, specks;
  for (const Region& part : parts) {
    const bool is_speck = part.outer.perimeter() < fewest_points * given.point_spacing;
    (is_speck ? specks : curves).push_back({.points = part.outer.vertices});
  }
  return curves.empty() ? specks : curves;
}

Image bounds_in(const std::string& path, const Image& mask) {
  const bool is_any = visit(mask.type(), [&]<class T>(std::type_identity<T>) {
    for (std::int64_t y = 0; y < mask.shape().y; ++y) {
      const T* row = mask.row<T>(y);
      if (std::any_of(row, row + mask.shape().x, [](T p) { return to_double(p) != 0; }))
        return true;
    }
    return false;
  });
  if (is_any) return mask;
  throw InvalidArgument(path + ": every pixel of the mask is 0, expected a part that is not");
}

bool has_shapes(const SegmentStart& start) {
  return start.kind == SegmentStart::Kind::file && has_shapes(start.file);
}

void warn_of_cover(Session& session, double covered, const Shape& image) {
  if (2 * covered <= static_cast<double>(image.x * image.y)) return;
  warn(session.common(),
       {"outlines cover more than half of the image: the background may have been taken for an "
        "object"});
}

bool are_objects(const std::vector<Region>& starts) {
  return starts.size() > 1 || (starts.size() == 1 && !starts.front().holes.empty());
}

}  // namespace meander::app
