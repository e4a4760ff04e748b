// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/objects.hpp"

#include <algorithm>
#include <span>

#include "contour/find_objects.hpp"
#include "contour/grey_levels.hpp"
#include "contour/noise_choice.hpp"
#include "contour/object_parts.hpp"
#include "contour/object_snakes.hpp"
#include "contour/object_starts.hpp"
#include "contour/object_sums.hpp"
#include "contour/object_worth.hpp"
#include "contour/segment_check.hpp"
#include "contour/statistics_of.hpp"
#include "contour/stopwatch.hpp"
#include "core/image_state.hpp"

namespace meander {
namespace {

using contour::ObjectField;
using contour::RegionSums;
using contour::Scene;

contour::Criterion::Family family_for(const contour::NoiseChoice& noise,
                                      const std::vector<Region>& starts) {
  std::vector<const Polygon*> rings;
  for (const Region& start : starts) {
    rings.push_back(&start.outer);
    for (const Polygon& hole : start.holes) rings.push_back(&hole);
  }
  return noise.second(rings).value_or(noise.first());
}

Outline measured(const ObjectField& field, std::size_t i) {
  const Scene& scene = field.scene();
  const contour::Object& object = field.object(i);
  const contour::Criterion criterion = field.criterion_of_outer(i);
  const SegmentInputs none;
  const Control control;
  contour::Search search(*scene.image, *scene.options, none, control);
  contour::Found found = search.measured(criterion, object.region.outer);
  return {.id = static_cast<std::int64_t>(object.start) + 1,
          .polygon = object.region.outer,
          .holes = object.region.holes,
          .area = object.region.area(),
          .perimeter = object.region.perimeter(),
          .criterion = found.criterion,
          .gain = criterion.undivided() - found.criterion,
          .inside = contour::statistics_of(object.sums, scene.levels),
          .outside = contour::statistics_of(criterion.total() - object.sums, scene.levels),
          .confidence = std::move(found.confidence)};
}

/// Statistics in grey levels of the image, whatever was searched in its place.
void measure_pixels(const ObjectField& field, const contour::SumLevels& sums,
                    const contour::Levels& levels, SegmentResult& result) {
  Scene scene = field.scene();
  scene.image = &sums;
  scene.levels = levels;
  std::vector<Region> regions;
  for (const Outline& outline : result.outlines)
    regions.push_back({outline.polygon, outline.holes});
  ObjectField given(scene, std::move(regions));
  given.lay_windows(std::vector<bool>(given.size(), true));
  contour::for_all(scene, given.size(), [&](std::size_t i) {
    const RegionSums& inside = given.object(i).sums;
    result.outlines[i].inside = contour::statistics_of(inside, levels);
    result.outlines[i].outside = contour::statistics_of(given.ground_of(i) - inside, levels);
  });
}

/// An outline that has grown to many times what was found has followed a slope of the light; one
/// that has no ground around it cannot be told from any.
void leave_out_runaways(ObjectField& field, const std::vector<Region>& starts) {
  // Found blocks cover nearly all of an object, or of a small one a few pixels less.
  constexpr double most_growth = 4, pixels_more = 64;
  std::vector<bool> stays(field.size());
  for (std::size_t i = 0; i < field.size(); ++i) {
    const contour::Object& object = field.object(i);
    const bool is_split = object.start >= starts.size();
    const bool has_ground = object.sums.count < field.ground_of(i).count;
    stays[i] = has_ground &&
               (is_split ||
                object.region.area() <= most_growth * starts[object.start].area() + pixels_more);
  }
  field.keep(stays);
}

/// What is found beside an object so many times as large may be a piece of it that its outline has
/// left out: it is merged where the description is shorter then.
constexpr double fragment = 1.0 / 16;

/// With the background that an image with or without shading asks for.
ObjectOptions decided(ObjectOptions options, bool is_shaded) {
  if (options.background == Background::automatic) {
    options.background = is_shaded ? Background::local : Background::global;
  }
  return options;
}

struct Beginning {
  std::vector<Region> starts;                ///< As the search wants them, at least one.
  bool are_near = false;                     ///< Found ones, near the outlines they lead to.
  std::optional<contour::Backdrop> shading;  ///< To be taken off.
};

SegmentResult outlined(const Image& image, const ObjectOptions& options, const Beginning& from,
                       const Control& control) {
  const auto begin = contour::Clock::now();
  const auto& [starts, are_near, shading] = from;
  const contour::GreyLevels grey = contour::grey_levels(image, options);
  control.step(0);
  const contour::SumLevels sums(grey.pixels.state().backend, grey.pixels.state().view, options);
  SegmentResult result;
  SegmentFigures& figures = result.figures;
  const contour::NoiseChoice noise(grey, sums, options);
  Scene scene{.image = &sums,
              .options = &options,
              .levels = grey.levels,
              .family = family_for(noise, starts),
              .starts_are_near = are_near};
  // Other families know where 0 is.
  std::optional<Image> even;
  const bool is_local = options.background == Background::local;
  if (is_local && shading && scene.family.noise == NoiseModel::gaussian) {
    even = contour::without_shading(grey.pixels.download(), *shading);
  }
  std::optional<contour::SumLevels> even_sums;
  if (even) {
    even = image.device().upload(*even);
    even_sums.emplace(even->state().backend, even->state().view, options);
    scene.image = &*even_sums;
    scene.levels = {};
  }
  figures.build_seconds = contour::seconds_since(begin);
  ObjectField field(scene, starts);
  contour::Effort effort = contour::improve_all(field, control, 0, 0.8);
  field.lay_windows(std::vector<bool>(field.size(), true));
  effort += contour::redivide_objects(field, control);
  if (options.merge || are_near) {
    effort += contour::merge_objects(field, options.merge ? 1 : fragment, control);
  }
  if (options.split) effort += contour::split_objects(field, control);
  contour::fill_holes(field);
  contour::leave_out(field);
  if (are_near) leave_out_runaways(field, starts);
  result.outlines.resize(field.size());
  contour::for_all(scene, field.size(),
                   [&](std::size_t i) { result.outlines[i] = measured(field, i); });
  if (even) measure_pixels(field, sums, grey.levels, result);
  control.step(1);
  figures.noise = scene.family.noise;
  figures.looks = figures.noise == NoiseModel::gamma ? scene.family.looks : 0;
  figures.is_local = is_local;
  figures.criterion = field.criterion();
  figures.evaluations = effort.evaluations;
  figures.iterations = effort.iterations;
  figures.offset = is_integer(image.type()) ? 0 : grey.levels.offset;
  figures.scale = grey.levels.scale;
  figures.search_seconds = contour::seconds_since(begin) - figures.build_seconds;
  return result;
}

/// By how much the image is likelier with these outlines than undivided, with noise of the family
/// of `figures`: likelihoods of two families, or of other looks, do not compare.
double explained_by(const std::vector<Outline>& outlines, const SegmentFigures& figures,
                    const Image& image, ObjectOptions options) {
  options.noise = figures.noise;
  if (figures.noise == NoiseModel::gamma) options.looks = figures.looks;
  const contour::GreyLevels grey = contour::grey_levels(image, options);
  const contour::SumLevels sums(grey.pixels.state().backend, grey.pixels.state().view, options);
  const contour::Criterion criterion(contour::NoiseChoice(grey, sums, options).first(), grey.levels,
                                     sums.total());
  RegionSums rest = sums.total();
  double divided = 0;
  for (const Outline& outline : outlines) {
    const RegionSums inside = contour::sums_of_region(sums, {outline.polygon, outline.holes});
    rest -= inside;
    divided += criterion.region(inside);
  }
  return criterion.undivided() - divided - criterion.region(rest);
}

/// Whether the pixels of a mask are in several parts that could be objects.
bool is_in_parts(const Image& mask) {
  double largest = 0;
  std::vector<double> areas;
  for (const Region& part : regions_of_mask(mask)) {
    areas.push_back(part.area());
    largest = std::max(largest, areas.back());
  }
  return std::count_if(areas.begin(), areas.end(),
                       [&](double area) { return area >= fragment * largest; }) > 1;
}

/// Whether an outline, which has no holes, parts the image into one thing and the rest. It may as
/// well run from one object to the next along lines that hold no pixel, around each or past it.
bool holds_one_thing(const Outline& outline, const Shape& image) {
  Image mask = Image::allocate({.shape = image, .type = PixelType::u8});
  fill_mask(std::span(&outline.polygon, 1), mask, 0);
  if (is_in_parts(mask)) return false;
  for (std::int64_t y = 0; y < image.y; ++y) {
    auto* row = mask.mutable_row<std::uint8_t>(y);
    for (std::int64_t x = 0; x < image.x; ++x) row[x] ^= 255;
  }
  return !is_in_parts(mask);
}

/// Whether the image divided once is more than the objects found in it: where it explains more, and
/// in place of several is one thing.
bool is_more(const SegmentResult& whole, const SegmentResult& found, const Image& image,
             const ObjectOptions& options) {
  if (!(explained_by(found.outlines, whole.figures, image, options) <
        explained_by(whole.outlines, whole.figures, image, options))) {
    return false;
  }
  const bool are_several = found.outlines.size() > 1;
  return !are_several || holds_one_thing(whole.outlines[0], image.shape());
}

/// Objects found are numbered from the top; those left out leave no gap.
SegmentResult numbered(SegmentResult result) {
  std::stable_sort(result.outlines.begin(), result.outlines.end(),
                   [](const Outline& a, const Outline& b) {
                     const GridPoint p = contour::box_around(a.polygon).low;
                     const GridPoint q = contour::box_around(b.polygon).low;
                     return p.y != q.y ? p.y < q.y : p.x < q.x;
                   });
  for (std::size_t i = 0; i < result.outlines.size(); ++i) {
    result.outlines[i].id = static_cast<std::int64_t>(i) + 1;
  }
  return result;
}

/// Found objects as starts that lie side by side, from the top. Where one covers another, which is
/// rare, the smaller one keeps its place.
std::vector<Region> as_starts(std::vector<Region> found, const Image& image,
                              const Control& control) {
  std::stable_sort(found.begin(), found.end(),
                   [](const Region& a, const Region& b) { return a.area() > b.area(); });
  found = contour::prepared_starts(found, image.shape(), control);
  std::sort(found.begin(), found.end(), contour::starts_before);
  return found;
}

bool divides_once(const ObjectOptions& options) {
  return options.max_objects == 1 || options.schedule == SegmentSchedule::classic;
}

/// The image divided once: the search that sees all of it at a time.
SegmentResult divided_once(const Image& image, const ObjectOptions& options,
                           const Control& control) {
  SegmentResult result = segment(image, options, {}, control);
  std::erase_if(result.outlines,
                [&](const Outline& outline) { return outline.area < options.min_area; });
  return result;
}

/// A search that sees all of the image at once may know better than one that has found few objects
/// or none.
SegmentResult from_found(const Image& image, const ObjectOptions& given, const Control& control) {
  /// Parts of one object may be found, where it is thin and faint; never so many.
  constexpr std::size_t most_parts = 16;
  constexpr double any_size = 25;
  // Where larger objects alone are wanted, an image of smaller ones is not one without objects.
  ObjectOptions of_any_size = given;
  of_any_size.min_area = std::min(given.min_area, any_size);
  contour::Detected detected = contour::found_in(image, of_any_size, control);
  std::vector<Region>& found = detected.regions;
  const bool is_empty = found.empty(), is_shaded = detected.shading.has_value();
  const ObjectOptions options = decided(given, is_shaded);
  std::erase_if(found, [&](const Region& region) { return region.area() < options.min_area / 4; });
  const bool is_local = options.background == Background::local;
  SegmentResult result;
  result.figures.is_local = is_local;
  if (!found.empty()) {
    result = numbered(
        outlined(image, options,
                 {as_starts(found, image, control), true, std::move(detected.shading)}, control));
  }
  // Divided once, an image with shading becomes its bright part and its dark part.
  if (is_local && is_shaded) return result;
  const bool may_be_one = found.size() <= most_parts && !is_local;
  if (!is_empty && (!may_be_one || found.empty())) return result;
  SegmentResult whole = divided_once(image, options, control);
  if (result.outlines.empty()) return whole;
  return !whole.outlines.empty() && is_more(whole, result, image, options) ? whole : result;
}

/// From starts that were given.
SegmentResult from_given(const Image& image, const ObjectOptions& given,
                         const std::vector<Region>& starts, const Control& control) {
  Beginning from{.starts = contour::prepared_starts(starts, image.shape(), control)};
  if (given.background != Background::global) {
    from.shading =
        contour::shading_of(contour::grey_levels(image, given).pixels.download(), control);
  }
  return outlined(image, decided(given, from.shading.has_value()), from, control);
}

}  // namespace

SegmentResult segment_objects(const Image& image, const ObjectOptions& options,
                              const ObjectInputs& inputs, const Control& control) {
  validate(options);
  contour::check_segment(image.description(), options, image.device(), {});
  if (!inputs.starts.empty()) return from_given(image, options, inputs.starts, control);
  return divides_once(options) ? divided_once(image, options, control)
                               : from_found(image, options, control);
}

std::int64_t estimate_bytes(const Description& image, const ObjectOptions& options,
                            const Device& device) {
  const std::int64_t outlines =
      estimate_bytes(image, static_cast<const SegmentOptions&>(options), device);
  const bool finds = !divides_once(options) && device.backend().uses_host_memory();
  return outlines + (finds ? contour::detect_bytes(image.shape) : 0);
}

}  // namespace meander
