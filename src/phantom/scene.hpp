// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "meander/phantom.hpp"
#include "phantom/shapes.hpp"

namespace meander::phantoms {

/// What a phantom shows before noise.
class Scene {
 public:
  virtual ~Scene() = default;
  /// Tenths of the way from background to target at every pixel of the band, row after row.
  virtual void paint(const Band& band, Layer layer, std::uint8_t* tenths) const = 0;
  /// See Phantom::outlines.
  virtual std::vector<Polygon> outlines() const = 0;
};

std::unique_ptr<Scene> scene_of(PhantomKind kind, const Canvas& canvas);

}  // namespace meander::phantoms
