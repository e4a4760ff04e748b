// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/geometry/trace.hpp"

#include <algorithm>
#include <cmath>

#include "core/message.hpp"

namespace meander {

void contour::check_mask(const Image& mask) {
  const Shape& shape = mask.shape();
  if (shape.z != 1 || mask.channels() != 1) {
    throw InvalidArgument(message("a mask of ", to_string(shape), " with ", mask.channels(),
                                  " channels was given, expected a 2-D image of one channel"));
  }
  if (std::max(shape.x, shape.y) > largest_coordinate) {
    throw InvalidArgument(message("a mask of ", to_string(shape),
                                  " was given, expected sides of at most ", largest_coordinate));
  }
}

Polygon outline_of_mask(const Image& mask, const Control& control) {
  contour::check_mask(mask);
  return visit(mask.type(), [&]<class T>(std::type_identity<T>) {
    const contour::Tracer<T, contour::IsSet> tracer(mask, control);
    contour::LargestPart largest;
    tracer.for_each_row(1, [&](const auto& runs) { largest.add_row(runs); });
    const auto part = largest.finish();
    if (!part) throw InvalidArgument("every pixel of the mask is 0, expected a part that is not");
    // The line comes to the upper side of the first pixel from the left one and turns there.
    Polygon outline = tracer.walk({{part->x, part->y}, contour::up}, 1, [](const auto&) {});
    control.step(1);
    return outline;
  });
}

namespace {

using contour::Side;

constexpr std::size_t runs_between_steps = std::size_t{1} << 16;

struct LabelOf {
  template <class T>
  std::int64_t operator()(T value) const {
    const double label = to_double(value);
    if (!(label >= 0 && label <= 0x1p53) || label != std::floor(label)) refuse(label);
    return static_cast<std::int64_t>(label);
  }
  [[noreturn]] static void refuse(double label) {
    throw InvalidArgument(
        message("found a label ", label, ", expected whole numbers from 0 to 2^53"));
  }
};

/// Every ring passes the left end of some run, and each left end is passed by one ring. So rings
/// are found at the runs, in order, whose left ends no ring before has passed.
template <class T, class KindOf>
class Rings {
 public:
  Rings(const Image& image, const Control& control) : tracer_(image, control), control_(control) {
    tracer_.for_each_row(0.5, [&](const auto& runs) { parts_.add_row(runs); });
    is_passed_.resize(parts_.runs().size());
    region_of_.resize(parts_.runs().size());
  }

  std::vector<LabelledRegion> regions() {
    std::vector<LabelledRegion> found;
    const std::size_t count = parts_.runs().size();
    for (std::size_t run = 0; run < count; ++run) {
      progress_ = 0.5 + 0.5 * static_cast<double>(run) / static_cast<double>(count);
      if (run % runs_between_steps == 0) control_.step(progress_);
      if (!is_passed_[run]) add_ring(run, found);
    }
    control_.step(1);
    return found;
  }

 private:
  /// The first run of a part lies on its outer ring, all others that are left on holes.
  void add_ring(std::size_t run, std::vector<LabelledRegion>& found) {
    const contour::Run& pixels = parts_.runs()[run];
    const std::size_t part = parts_.part_of(run);
    const std::int64_t x = pixels.begin, y = parts_.row_of(run);
    if (part == run) {
      region_of_[run] = found.size();
      found.push_back({pixels.kind, {walk({{x, y}, contour::up}), {}}});
    } else {
      // Left of the run is the end of the hole's first row, and all above it is of the part: the
      // line comes to the lower side there from the run's left end and turns.
      const Side start{{x - 1, y - 1}, contour::down};
      found[region_of_[part]].region.holes.push_back(walk(start));
    }
  }

  Polygon walk(const Side& start) {
    return tracer_.walk(start, progress_, [this](const Side& side) {
      if (side.outward == contour::left) {
        is_passed_[parts_.run_at(side.pixel.x, side.pixel.y)] = true;
      }
    });
  }

  const contour::Tracer<T, KindOf> tracer_;
  const Control& control_;
  contour::Parts parts_;
  std::vector<bool> is_passed_;
  std::vector<std::size_t> region_of_;  ///< By the first run of a part.
  double progress_ = 0;
};

template <class KindOf>
std::vector<LabelledRegion> regions_of(const Image& image, const Control& control) {
  contour::check_mask(image);
  return visit(image.type(), [&]<class T>(std::type_identity<T>) {
    return Rings<T, KindOf>(image, control).regions();
  });
}

}  // namespace

std::vector<Region> regions_of_mask(const Image& mask, const Control& control) {
  std::vector<Region> regions;
  for (LabelledRegion& part : regions_of<contour::IsSet>(mask, control)) {
    regions.push_back(std::move(part.region));
  }
  return regions;
}

std::vector<LabelledRegion> regions_of_labels(const Image& labels, const Control& control) {
  std::vector<LabelledRegion> regions = regions_of<LabelOf>(labels, control);
  std::stable_sort(regions.begin(), regions.end(),
                   [](const auto& a, const auto& b) { return a.label < b.label; });
  return regions;
}

}  // namespace meander
