// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "meander/phantom.hpp"
#include "phantom/shapes.hpp"

namespace meander::phantoms {

/// What a phantom shows before noise.
class Scene {
 public:
  virtual ~Scene() = default;
  /// Polygons that may meet the band. Empty where the scene paints otherwise.
  virtual std::vector<Region> regions(const Band& band, Layer layer) const = 0;
  /// Tenths of the way from background to target at every pixel of the band, row after row.
  virtual void paint(const Band& band, Layer layer, std::uint8_t* tenths) const;
  /// Why the mask is not a union of polygons; empty when it is.
  virtual std::string_view without_outlines() const { return {}; }
  /// Labels run from 1 to this; 0 for scenes without labels.
  virtual std::int64_t object_count() const { return 0; }
  /// Of what an object is a part, 0 when of none.
  virtual std::int64_t parent_of(std::int64_t) const { return 0; }
};

/// Throws InvalidArgument for options that the kind does not have, or has no room for.
std::unique_ptr<Scene> scene_of(const PhantomOptions& options);

}  // namespace meander::phantoms
