// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "contour/detect/noise_level.hpp"
#include "contour/likelihood/criterion.hpp"
#include "contour/objects/windows.hpp"
#include "contour/region/search.hpp"
#include "meander/objects.hpp"

namespace meander::contour {

/// Which objects of an image are meant, once they are outlined: what `ObjectOptions` and a mask
/// say. The least area that the noise asks for is not known here.
class ObjectBounds {
 public:
  /// Throws InvalidArgument for a mask that does not fit the image; an empty one is none.
  ObjectBounds(const ObjectOptions& options, const Image& mask, const Shape& image);

  bool allow(const Region& region, const RegionStatistics& inside,
             const RegionStatistics& outside) const {
    return !against(region, inside, outside);
  }
  /// The first bound that such an object is beyond.
  std::optional<ObjectBound> against(const Region& region, const RegionStatistics& inside,
                                     const RegionStatistics& outside) const;

 private:
  bool is_within_mask(const Region& region) const;

  Polarity polarity_;
  double min_contrast_;
  std::optional<double> min_area_, max_area_;
  Shape shape_;
  std::vector<std::uint8_t> mask_;  ///< Row by row; none: everywhere.
};

/// Throws InvalidArgument for images and options that do not go together.
void check_objects(const Description& image, const ObjectOptions& options, const Device& device);

/// What all objects of an image have in common. What it refers to outlives it.
struct Scene {
  const SumLevels* image = nullptr;
  const ObjectOptions* options = nullptr;
  Levels levels;
  Criterion::Family family;
  bool starts_are_near = false;  ///< Those that were found are.
  PixelNoise noise;
  double min_area = 0;                   ///< In pixels.
  const ObjectBounds* bounds = nullptr;  ///< None: all objects are meant.

  const Shape& shape() const { return image->pixels().shape; }
};

/// Calls task(0) … task(count - 1), at once where the device's sums may be asked for so.
void for_all(const Scene& scene, std::size_t count, const std::function<void(std::size_t)>& task);

struct Object {
  std::size_t start = 0;  ///< Which start it comes from.
  Region region;
  std::vector<Spline> splines;  ///< See Outline::splines.
  RegionSums sums;              ///< Of the region.
  Box window;                   ///< Where it may be, and where its local background is.
  std::vector<Polygon> zones;   ///< Its outline stays in each of them; none: anywhere.
  Criterion::Family family;     ///< Of its noise.
};

/// Objects side by side, none over another: who is near whom, and what is background to each.
class ObjectField {
 public:
  /// `zones`, `backgrounds` (means in numbers of the image): one for each region, or none.
  ObjectField(const Scene& scene, std::vector<Region> regions, std::vector<Polygon> zones = {},
              const std::vector<double>& backgrounds = {});

  const Scene& scene() const { return *scene_; }
  std::size_t size() const { return objects_.size(); }
  const Object& object(std::size_t i) const { return objects_[i]; }
  std::vector<Region> regions() const {
    std::vector<Region> regions;
    for (const Object& object : objects_) regions.push_back(object.region);
    return regions;
  }
  /// Those whose windows meet its own.
  const std::vector<std::size_t>& neighbours(std::size_t i) const { return neighbours_[i]; }
  /// The rings of the others that may be in its window.
  std::vector<const Polygon*> rings_about(std::size_t i) const;
  /// Pixels that are the object's or the background's to it.
  RegionSums ground_of(std::size_t i) const;
  /// Those of them in its window.
  RegionSums local_ground_of(std::size_t i) const {
    return local_ground_of({i}, objects_[i].window);
  }
  /// The same of some of them as one, in a window around all.
  RegionSums local_ground_of(const std::vector<std::size_t>& some, const Box& window) const;
  RegionSums ground_of(const std::vector<std::size_t>& some, const Box& window) const;
  std::vector<const Polygon*> rings_about(const std::vector<std::size_t>& some,
                                          const Box& window) const;
  /// J of what an outline holds that is one of the object's rings: the outer one, or hole number
  /// `hole` in the order of positive area. The other rings stay as they are. That of the outer one
  /// is what is reported: with variances of their own.
  Criterion criterion_of_outer(std::size_t i) const;
  Criterion criterion_of_hole(std::size_t i, std::size_t hole) const;
  /// J of the whole image, divided into all objects and the rest.
  double criterion() const;

  void set_region(std::size_t i, Region region, std::vector<Spline> splines = {});
  /// It may go anywhere from now on.
  void leave_zones(std::size_t i) { objects_[i].zones = {}; }
  /// It stays in these, where it is already.
  void set_zones(std::size_t i, std::vector<Polygon> zones) {
    objects_[i].zones = std::move(zones);
  }
  /// One more, behind the others, whose start has the next number; it has the zones and the noise
  /// of another. Windows are to be laid then.
  void add(Region region, std::size_t like);
  /// Windows around some objects as they are now; others keep theirs.
  void lay_windows(const std::vector<bool>& which);
  void keep(const std::vector<bool>& which);

 private:
  void find_neighbours();
  /// Found objects are told by their level alone: with one variance for inside and background.
  void choose_families(const std::vector<double>& backgrounds);
  /// Those that reach into a window, which holds some that do not count. Of one object it is its
  /// own window, so they are among its neighbours.
  std::vector<std::size_t> others_near(const std::vector<std::size_t>& some,
                                       const Box& window) const;

  const Scene* scene_;
  std::vector<Object> objects_;
  std::vector<std::vector<std::size_t>> neighbours_;
  RegionSums covered_;      ///< By all of them.
  std::size_t starts_ = 0;  ///< So far.
};

}  // namespace meander::contour
