// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/objects.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contour/detect/detect.hpp"
#include "contour/geometry/pixel_set.hpp"
#include "contour/likelihood/criterion.hpp"
#include "contour/likelihood/grey_levels.hpp"
#include "contour/likelihood/noise_choice.hpp"
#include "contour/likelihood/sums.hpp"
#include "contour/objects/confine.hpp"
#include "contour/objects/object_starts.hpp"
#include "contour/objects/snakes.hpp"
#include "contour/objects/split_merge.hpp"
#include "contour/objects/worth.hpp"
#include "contour/region/check.hpp"
#include "contour/region/search.hpp"
#include "core/control_part.hpp"
#include "core/image_state.hpp"
#include "meander/measure.hpp"

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
  contour::Search search(*scene.image, scene.options->search, none, control);
  std::optional<Spline> spline;
  if (!object.splines.empty() && !object.splines[0].nodes.empty()) spline = object.splines[0];
  contour::Found found = search.measured(criterion, object.region.outer, spline);
  return {.id = static_cast<std::int64_t>(object.start) + 1,
          .polygon = object.region.outer,
          .holes = object.region.holes,
          .splines = object.splines,
          .area = object.region.area(),
          .perimeter = object.region.perimeter(),
          .criterion = found.criterion,
          .gain = criterion.undivided() - found.criterion,
          .inside = contour::statistics_of(object.sums, scene.levels),
          .outside = contour::statistics_of(criterion.total() - object.sums, scene.levels),
          .confidence = std::move(found.confidence)};
}

std::vector<Region> regions_of(const SegmentResult& result) {
  std::vector<Region> regions;
  for (const Outline& one : result.outlines) regions.push_back({one.polygon, one.holes});
  return regions;
}

/// Statistics in grey levels of the image, whatever was searched in its place.
void measure_pixels(const ObjectField& field, const contour::SumLevels& sums,
                    const contour::Levels& levels, SegmentResult& result) {
  Scene scene = field.scene();
  scene.image = &sums;
  scene.levels = levels;
  ObjectField given(scene, regions_of(result));
  given.lay_windows(std::vector<bool>(given.size(), true));
  contour::for_all(scene, given.size(), [&](std::size_t i) {
    const RegionSums& inside = given.object(i).sums;
    result.outlines[i].inside = contour::statistics_of(inside, levels);
    result.outlines[i].outside = contour::statistics_of(given.ground_of(i) - inside, levels);
  });
}

void cut_spikes(ObjectField& field) {
  for (std::size_t i = 0; i < field.size(); ++i) {
    Region region = field.object(i).region;
    const std::size_t nodes = region.outer.vertices.size();
    region.outer = contour::without_spikes(std::move(region.outer));
    if (region.outer.vertices.size() == nodes) continue;
    const contour::Obstacles others(field.object(i).window, field.rings_about(i));
    if (!others.touches(region.outer)) field.set_region(i, std::move(region));
  }
}

/// Outlines that hold together by less than two pixels become several, where these stay off others;
/// of starts that were given the largest part stays.
void cut_necks(ObjectField& field, bool is_found) {
  const Shape& shape = field.scene().shape();
  const std::size_t before = field.size();
  std::vector<std::vector<Region>> parts_of(before);
  contour::for_all(field.scene(), before, [&](std::size_t i) {
    parts_of[i] = contour::parts_without_necks(contour::pixels_of(field.object(i).region, shape));
  });
  for (std::size_t i = 0; i < before; ++i) {
    std::vector<Region>& parts = parts_of[i];
    if (parts.empty()) continue;
    const contour::Obstacles others(field.object(i).window, field.rings_about(i));
    std::erase_if(parts, [&](const Region& part) {
      return part.area() < field.scene().min_area || others.touches(part.outer);
    });
    // Parts that meet at a corner are drawn apart.
    const auto apart = contour::drawn_apart(std::move(parts));
    if (!apart || apart->empty()) continue;
    field.set_region(i, apart->front());
    for (std::size_t k = 1; is_found && k < apart->size(); ++k) field.add((*apart)[k], i);
  }
  if (field.size() > before) field.lay_windows(std::vector<bool>(field.size(), true));
}

/// With the background that an image with or without shading asks for.
ObjectOptions decided(ObjectOptions options, bool is_shaded) {
  if (options.background == Background::automatic) {
    options.background = is_shaded ? Background::local : Background::global;
  }
  return options;
}

/// What counts as an object, in pixels.
double least_area(const ObjectOptions& options, const contour::PixelNoise& noise) {
  return options.min_area.value_or(contour::least_area_in(noise));
}

struct Beginning {
  std::vector<Region> starts;       ///< As the search wants them, at least one.
  std::vector<Polygon> zones;       ///< Of each start, or none.
  std::vector<double> backgrounds;  ///< See FoundObject; of each start, or none.
  bool are_near = false;            ///< To the outlines they lead to: found ones, and shapes.
  /// To be taken off.
  std::optional<contour::BackgroundSurface> shading;
  contour::PixelNoise noise;
  bool is_noise = true;   ///< What the pixels of objects scatter by.
  bool is_found = false;  ///< Not given.
  bool may_run = false;   ///< Nothing bounds them but the image.
  OnObjects on_objects;
};

SegmentResult outlined(const Image& image, const contour::GreyLevels& grey,
                       const ObjectOptions& options, const Beginning& from,
                       const contour::ObjectBounds& bounds, const Control& control) {
  const auto begin = contour::Clock::now();
  const auto& [starts, zones, levels, are_near, shading, pixel_noise, is_noise, is_found, may_run,
               on_objects] = from;
  const contour::SumLevels sums(grey.pixels.state().backend, grey.pixels.state().view,
                                options.search);
  SegmentResult result;
  SegmentFigures& figures = result.figures;
  // Families that know the variance of a level would take blurred edges and texture for noise.
  SegmentOptions of_noise = options.search;
  if (!is_noise && of_noise.noise == NoiseModel::automatic) of_noise.noise = NoiseModel::gaussian;
  const contour::NoiseChoice noise(grey, sums, of_noise);
  Scene scene{.image = &sums,
              .options = &options,
              .levels = grey.levels,
              .family = family_for(noise, starts),
              .starts_are_near = are_near,
              .noise = pixel_noise,
              .min_area = least_area(options, pixel_noise),
              .bounds = &bounds};
  // Other families know where 0 is.
  std::optional<Image> even;
  const bool is_local = options.background == Background::local;
  if (is_local && shading && scene.family.noise == NoiseModel::gaussian) {
    even = contour::without_shading(grey.pixels.download(), *shading);
  }
  std::optional<contour::SumLevels> even_sums;
  if (even) {
    even = image.device().upload(*even);
    even_sums.emplace(even->state().backend, even->state().view, options.search);
    scene.image = &*even_sums;
    scene.levels = {};
  }
  figures.build_seconds = contour::seconds_since(begin);
  std::vector<double> backgrounds;
  for (const double level : even ? levels : std::vector<double>{}) {
    backgrounds.push_back(contour::even_level + level);
  }
  ObjectField field(scene, starts, zones, backgrounds);
  const auto tell = [&](ObjectStage stage) {
    if (from.on_objects) from.on_objects(stage, field.regions());
  };
  tell(ObjectStage::begun);
  contour::Effort effort = contour::improve_all(field, control, 0, 0.8);
  if (is_found) contour::bring_back(field, starts);
  if (may_run) effort += contour::keep_near_starts(field, starts, control);
  field.lay_windows(std::vector<bool>(field.size(), true));
  tell(ObjectStage::outlined);
  // What was found and shapes have their place; other starts may take it from each other.
  if (zones.empty() || may_run) effort += contour::redivide_objects(field, control);
  if (options.merge) effort += contour::merge_objects(field, control);
  if (is_found ? !options.no_split : options.split) {
    effort += contour::split_objects(field, control);
  }
  tell(ObjectStage::divided);
  contour::fill_holes(field);
  cut_spikes(field);
  cut_necks(field, is_found);
  contour::leave_out(field);
  if (may_run) contour::confine_curves(field);
  if (options.search.shape != OutlineShape::polygon) effort += contour::curve_all(field, control);
  result.outlines.resize(field.size());
  contour::for_all(scene, field.size(),
                   [&](std::size_t i) { result.outlines[i] = measured(field, i); });
  if (even) measure_pixels(field, sums, grey.levels, result);
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

/// Of one object among others that are not meant the search that divides an image knows nothing.
bool divides_once(const ObjectOptions& options, bool has_mask = false) {
  return (options.max_objects == 1 && !options.has_bounds() && !has_mask) ||
         options.search.schedule == SegmentSchedule::classic;
}

/// Whether an outline holds most of an image and reaches three of its borders: the others lie on
/// it.
bool is_background(const Outline& outline, const Shape& image) {
  if (2 * outline.inside.pixels <= image.x * image.y) return false;
  const auto [x0, y0, x1, y1] =
      contour::pixels_of(Region{outline.polygon, outline.holes}, image).box();
  return (x0 == 0) + (y0 == 0) + (x1 == image.x) + (y1 == image.y) >= 3;
}

/// The image divided once: the search that sees all of it at a time. Where somebody says which
/// objects are meant, the background is none.
SegmentResult divided_once(const Image& image, const ObjectOptions& options,
                           const contour::ObjectBounds& bounds, const Control& control) {
  SegmentResult result = segment(image, options.search, {}, control);
  std::erase_if(result.outlines, [&](const Outline& outline) {
    return outline.area < least_area(options, {}) ||
           (options.has_bounds() && is_background(outline, image.shape())) ||
           !bounds.allow(region_of(outline), outline.inside, outline.outside);
  });
  return result;
}

contour::FindingBounds bounds_of_finding(const ObjectOptions& options) {
  return {options.min_area, options.polarity, options.min_contrast};
}

SegmentResult from_found(const Image& image, const ObjectOptions& given,
                         const OnObjects& on_objects, const contour::ObjectBounds& bounds,
                         const Control& control) {
  const contour::GreyLevels grey = contour::grey_levels(image, given.search, control);
  contour::Detected detected =
      contour::detect(grey.pixels.download(), bounds_of_finding(given), control);
  const bool is_shaded = detected.shading.has_value();
  const ObjectOptions options = decided(given, is_shaded);
  if (detected.objects.empty()) {
    // Divided once, an image with shading becomes its bright part and its dark part, and noise that
    // pixels share becomes objects.
    constexpr double white = 2;
    if (!is_shaded && detected.noise.correlation < white)
      return divided_once(image, options, bounds, control);
    SegmentResult nothing;
    nothing.figures.is_local = options.background == Background::local;
    return nothing;
  }
  Beginning from{.are_near = true,
                 .shading = std::move(detected.shading),
                 .noise = detected.noise,
                 .is_noise = detected.is_noise,
                 .is_found = true,
                 .on_objects = on_objects};
  for (contour::FoundObject& object : detected.objects) {
    from.starts.push_back(std::move(object.region));
    from.zones.push_back(std::move(object.zone));
    from.backgrounds.push_back(object.background);
  }
  from.starts = contour::prepared_starts(from.starts, image.shape(), control);
  return numbered(outlined(image, grey, options, from, bounds, control));
}

/// Where the outline of a start may be; none: anywhere.
std::optional<Polygon> zone_of(const Region& start, const ObjectOptions& options,
                               const ObjectInputs& inputs, const Shape& image) {
  if (options.within) {
    if (*options.within >= static_cast<double>(std::max(image.x, image.y))) return {};
    const auto reach = static_cast<std::int64_t>(*options.within);
    // To the pixel as long as that is cheap.
    constexpr std::int64_t most = 64;
    const std::int64_t block = (reach + most - 1) / most;
    return contour::zone_around(start, reach / block, block, image);
  }
  if (!inputs.has_shapes) return {};
  // Blocks of a quarter of the reach: rings of few nodes.
  const double radius = std::sqrt(start.area() / std::numbers::pi);
  const auto block = std::max<std::int64_t>(1, static_cast<std::int64_t>(radius / 4));
  const auto blocks = static_cast<std::int64_t>(radius / static_cast<double>(block)) + 1;
  return contour::zone_around(start, blocks, block, image);
}

/// From starts that were given.
SegmentResult from_given(const Image& image, const ObjectOptions& given, const ObjectInputs& inputs,
                         const contour::ObjectBounds& bounds, const Control& control) {
  Beginning from{.starts = contour::prepared_starts(inputs.starts, image.shape(), control),
                 .are_near = inputs.has_shapes,
                 .may_run = !inputs.has_shapes && !given.within,
                 .on_objects = inputs.on_objects};
  for (const Region& start : from.starts) {
    if (auto zone = zone_of(start, given, inputs, image.shape())) from.zones.push_back(*zone);
  }
  if (from.may_run && from.starts.size() > 1) {
    from.zones = contour::zones_between(from.starts, image.shape());
  }
  const contour::GreyLevels grey = contour::grey_levels(image, given.search, control);
  if (given.background != Background::global || inputs.has_shapes) {
    contour::Detected background = contour::detect_background(
        grey.pixels.download(), inputs.has_shapes ? from.starts : std::vector<Region>{}, control);
    from.shading = std::move(background.shading);
    from.noise = background.noise;
    from.is_noise = background.is_noise;
  }
  const ObjectOptions options = decided(given, from.shading.has_value());
  return outlined(image, grey, options, from, bounds, control);
}

}  // namespace

SegmentResult segment_objects(const Image& image, const ObjectOptions& options,
                              const ObjectInputs& inputs, const Control& control) {
  contour::check_objects(image.description(), options, image.device());
  const contour::ObjectBounds bounds(options, inputs.mask, image.shape());
  SegmentResult result = !inputs.starts.empty()
                             ? from_given(image, options, inputs, bounds, control)
                         : divides_once(options, !inputs.mask.empty())
                             ? divided_once(image, options, bounds, control)
                             : from_found(image, options, inputs.on_objects, bounds, control);
  control.step(1);
  if (inputs.on_objects) inputs.on_objects(ObjectStage::finished, regions_of(result));
  return result;
}

std::vector<std::optional<ObjectBound>> bounds_against(const std::vector<Outline>& outlines,
                                                       const ObjectOptions& options,
                                                       const Image& mask, const Shape& image,
                                                       const Control& control) {
  const contour::ObjectBounds bounds(options, mask, image);
  std::vector<std::optional<ObjectBound>> against;
  for_each_step(outlines, control, [&](const Outline& outline) {
    against.push_back(bounds.against(region_of(outline), outline.inside, outline.outside));
  });
  return against;
}

std::vector<Region> find_objects(const Image& image, const ObjectOptions& options,
                                 const Control& control) {
  contour::check_objects(image.description(), options, image.device());
  const contour::GreyLevels grey = contour::grey_levels(image, options.search, control);
  contour::Detected detected =
      contour::detect(grey.pixels.download(), bounds_of_finding(options), control);
  std::vector<Region> regions;
  for (auto& object : detected.objects) regions.push_back(std::move(object.region));
  control.step(1);
  return regions;
}

std::int64_t estimate_bytes(const Description& image, const ObjectOptions& options,
                            const Device& device) {
  contour::check_objects(image, options, device);
  const std::int64_t outlines = estimate_bytes(image, options.search, device);
  const bool finds = !divides_once(options) && device.backend().uses_host_memory();
  return outlines + (finds ? contour::detect_bytes(image.shape) : 0);
}

}  // namespace meander
