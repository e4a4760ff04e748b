// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/objects/object_field.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contour/geometry/pixel_set.hpp"
#include "contour/likelihood/sums.hpp"
#include "contour/region/check.hpp"
#include "core/message.hpp"
#include "core/parallel_for.hpp"

namespace meander::contour {

ObjectBounds::ObjectBounds(const ObjectOptions& options, const Image& mask, const Shape& image)
    : polarity_(options.polarity),
      min_contrast_(options.min_contrast),
      min_area_(options.min_area),
      max_area_(options.max_area),
      shape_(image) {
  if (mask.empty()) return;
  if (mask.shape() != image || mask.channels() != 1) {
    throw InvalidArgument(message("a mask of ", to_string(mask.shape()), " with ", mask.channels(),
                                  " channels, expected ", to_string(image), " with 1"));
  }
  mask_.resize(static_cast<std::size_t>(image.x * image.y));
  visit(mask.type(), [&]<class T>(std::type_identity<T>) {
    auto to = mask_.begin();
    for (std::int64_t y = 0; y < image.y; ++y) {
      const T* row = mask.row<T>(y);
      for (std::int64_t x = 0; x < image.x; ++x) *to++ = to_double(row[x]) != 0 ? 1 : 0;
    }
  });
}

std::optional<ObjectBound> ObjectBounds::against(const Region& region,
                                                 const RegionStatistics& inside,
                                                 const RegionStatistics& outside) const {
  const double contrast = inside.mean - outside.mean;
  if (polarity_ == Polarity::bright && !(contrast > 0)) return ObjectBound::polarity;
  if (polarity_ == Polarity::dark && !(contrast < 0)) return ObjectBound::polarity;
  if (std::abs(contrast) < min_contrast_ * outside.sigma) return ObjectBound::min_contrast;
  if (min_area_ && region.area() < *min_area_) return ObjectBound::min_area;
  if (max_area_ && region.area() > *max_area_) return ObjectBound::max_area;
  if (!mask_.empty() && !is_within_mask(region)) return ObjectBound::mask;
  return std::nullopt;
}

bool ObjectBounds::is_within_mask(const Region& region) const {
  std::int64_t within = 0;
  const PixelSet pixels = pixels_of(region, shape_);
  for (const RowRun& run : pixels.runs) {
    const auto row = mask_.begin() + run.y * shape_.x;
    within = std::accumulate(row + run.begin, row + run.end, within);
  }
  return 2 * within > pixels.count();
}

void check_objects(const Description& image, const ObjectOptions& options, const Device& device) {
  validate(options);
  check_segment(image, options.search, device, {});
  if (options.max_area && options.min_area.value_or(0) > *options.max_area) {
    throw InvalidArgument(message("min-area ", *options.min_area, " is above max-area ",
                                  *options.max_area, ", expected at most that"),
                          {.option = "min-area"});
  }
}

void for_all(const Scene& scene, std::size_t count, const std::function<void(std::size_t)>& task) {
  if (count == 0) return;
  if (scene.image->backend().uses_host_memory()) {
    parallel_for(static_cast<std::int64_t>(count),
                 [&](std::int64_t i) { task(static_cast<std::size_t>(i)); });
  } else {
    for (std::size_t i = 0; i < count; ++i) task(i);
  }
}

ObjectField::ObjectField(const Scene& scene, std::vector<Region> regions,
                         std::vector<Polygon> zones, const std::vector<double>& backgrounds)
    : scene_(&scene), objects_(regions.size()), starts_(regions.size()) {
  for_all(scene, regions.size(), [&](std::size_t i) {
    const RegionSums sums = sums_of_region(*scene.image, regions[i]);
    objects_[i] = {.start = i,
                   .region = std::move(regions[i]),
                   .sums = sums,
                   .window = {},
                   .zones = {},
                   .family = scene.family};
    if (!zones.empty()) objects_[i].zones.push_back(std::move(zones[i]));
  });
  for (const Object& object : objects_) covered_ += object.sums;
  lay_windows(std::vector<bool>(objects_.size(), true));
  if (scene.starts_are_near && scene.family.noise == NoiseModel::gaussian) {
    choose_families(backgrounds);
  }
}

void ObjectField::choose_families(const std::vector<double>& backgrounds) {
  const auto variance = [](const RegionSums& sums) {
    const auto n = static_cast<double>(sums.count);
    return sums.count > 0 ? scatter(sums) / (n * n) : 0;
  };
  for_all(*scene_, objects_.size(), [&](std::size_t i) {
    Object& object = objects_[i];
    // The larger one, so that texture does not pay for nodes. Of pixels that share their noise the
    // mean scatters as if there were fewer; structure is not shared in that way.
    const PixelNoise& noise = scene_->noise;
    object.family.variance =
        std::max({variance(object.sums), variance(ground_of(i) - object.sums),
                  noise.correlation * noise.deviation * noise.deviation, least_variance});
    object.family.correlation = noise.correlation;
    if (!backgrounds.empty()) object.family.background = backgrounds[i];
  });
}

void ObjectField::find_neighbours() {
  std::vector<Box> windows;
  windows.reserve(objects_.size());
  for (const Object& object : objects_) windows.push_back(object.window);
  neighbours_ = neighbours_of(windows);
}

void ObjectField::lay_windows(const std::vector<bool>& which) {
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    if (which[i]) objects_[i].window = window_around(objects_[i].region.outer, scene_->shape());
  }
  find_neighbours();
}

void ObjectField::set_region(std::size_t i, Region region, std::vector<Spline> splines) {
  Object& object = objects_[i];
  covered_ -= object.sums;
  object.sums = sums_of_region(*scene_->image, region);
  object.region = std::move(region);
  object.splines = std::move(splines);
  covered_ += object.sums;
}

void ObjectField::add(Region region, std::size_t like) {
  Object object{.start = starts_++,
                .region = std::move(region),
                .splines = {},
                .sums = {},
                .window = {},
                .zones = objects_[like].zones,
                .family = objects_[like].family};
  object.sums = sums_of_region(*scene_->image, object.region);
  object.window = window_around(object.region.outer, scene_->shape());
  covered_ += object.sums;
  objects_.push_back(std::move(object));
}

void ObjectField::keep(const std::vector<bool>& which) {
  std::vector<Object> kept;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    if (which[i]) {
      kept.push_back(std::move(objects_[i]));
    } else {
      covered_ -= objects_[i].sums;
    }
  }
  objects_ = std::move(kept);
  find_neighbours();
}

std::vector<std::size_t> ObjectField::others_near(const std::vector<std::size_t>& some,
                                                  const Box& window) const {
  std::vector<std::size_t> others;
  if (some.size() == 1) {
    others = neighbours_[some[0]];
  } else {
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      if (do_meet(objects_[i].window, window)) others.push_back(i);
    }
  }
  std::erase_if(others, [&](std::size_t i) {
    return std::find(some.begin(), some.end(), i) != some.end() ||
           !do_meet(box_around(objects_[i].region.outer), window);
  });
  return others;
}

std::vector<const Polygon*> ObjectField::rings_about(std::size_t i) const {
  return rings_about({i}, objects_[i].window);
}

std::vector<const Polygon*> ObjectField::rings_about(const std::vector<std::size_t>& some,
                                                     const Box& window) const {
  std::vector<const Polygon*> rings;
  for (const std::size_t other : others_near(some, window)) {
    const Region& region = objects_[other].region;
    rings.push_back(&region.outer);
    for (const Polygon& hole : region.holes) rings.push_back(&hole);
  }
  return rings;
}

RegionSums ObjectField::ground_of(std::size_t i) const {
  return ground_of({i}, objects_[i].window);
}

RegionSums ObjectField::ground_of(const std::vector<std::size_t>& some, const Box& window) const {
  const SumLevels& image = *scene_->image;
  if (scene_->options->background != Background::local) {
    RegionSums ground = image.total() - covered_;
    for (const std::size_t i : some) ground += objects_[i].sums;
    return ground;
  }
  return local_ground_of(some, window);
}

RegionSums ObjectField::local_ground_of(const std::vector<std::size_t>& some,
                                        const Box& window) const {
  const SumLevels& image = *scene_->image;
  RegionSums ground = sums_of_box(image, window);
  for (const std::size_t other : others_near(some, window)) {
    const Object& near = objects_[other];
    const bool is_all = is_within(box_around(near.region.outer), window);
    ground -= is_all ? near.sums : sums_in_box(image, near.region, window);
  }
  return ground;
}

Criterion ObjectField::criterion_of_outer(std::size_t i) const {
  RegionSums holes;
  for (const Polygon& hole : objects_[i].region.holes) holes += sums_of_ring(*scene_->image, hole);
  return {scene_->family, scene_->levels, ground_of(i), holes};
}

Criterion ObjectField::criterion_of_hole(std::size_t i, std::size_t hole) const {
  const Object& object = objects_[i];
  const RegionSums ground = ground_of(i);
  // A hole's sums are negative; without it the object would have more, and the background less.
  const RegionSums filled = object.sums - sums_of_ring(*scene_->image, object.region.holes[hole]);
  return {object.family, scene_->levels, ground, ground - filled};
}

double ObjectField::criterion() const {
  const Criterion whole(scene_->family, scene_->levels, scene_->image->total());
  double sum = whole.region(scene_->image->total() - covered_);
  for (const Object& object : objects_) sum += whole.region(object.sums);
  return rounded_criterion(sum);
}

}  // namespace meander::contour
