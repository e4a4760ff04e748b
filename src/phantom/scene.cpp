// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/scene.hpp"

#include "core/message.hpp"
#include "phantom/vessels.hpp"

namespace meander::phantoms {
namespace {

class PolygonScene : public Scene {
 public:
  PolygonScene(RegionsOf regions, const Canvas& canvas) : regions_(regions), canvas_(canvas) {}

  void paint(const Band& band, Layer layer, std::uint8_t* tenths) const override {
    rasterise(regions_(canvas_, band, layer), band, tenths);
  }

  std::vector<Polygon> outlines() const override {
    const Shape& shape = canvas_.shape;
    if (shape.rank() == 3) {
      throw Unsupported(message("a volume of ", to_string(shape),
                                " has no outlines, expected a 2-D image; its mask is the truth"));
    }
    std::vector<Polygon> polygons;
    for (Region& region : regions_(canvas_, {shape.x, 0, 0, shape.y}, Layer::truth)) {
      polygons.push_back(std::move(region.outline));
    }
    return polygons;
  }

 private:
  RegionsOf regions_;
  Canvas canvas_;
};

class VesselScene : public Scene {
 public:
  explicit VesselScene(const Canvas& canvas) : tubes_(grow_vessels(canvas)) {}

  void paint(const Band& band, Layer, std::uint8_t* tenths) const override {
    paint_tubes(tubes_, band, tenths);
  }

  std::vector<Polygon> outlines() const override {
    throw Unsupported("vessels have no polygon outlines; their mask is the truth");
  }

 private:
  std::vector<Tube> tubes_;
};

}  // namespace

std::unique_ptr<Scene> scene_of(PhantomKind kind, const Canvas& canvas) {
  const auto polygons = [&](RegionsOf regions) {
    return std::make_unique<PolygonScene>(regions, canvas);
  };
  switch (kind) {
    case PhantomKind::rings:
    case PhantomKind::film:
      throw Unsupported("not there yet");
    case PhantomKind::star:
      return polygons(star);
    case PhantomKind::blobs:
      return polygons(blobs);
    case PhantomKind::ushape:
      return polygons(ushape);
    case PhantomKind::vessels:
      return std::make_unique<VesselScene>(canvas);
    case PhantomKind::shepp_logan:
      return polygons(shepp_logan);
    case PhantomKind::impulse:
      return polygons(impulse);
    case PhantomKind::step:
      return polygons(step);
    case PhantomKind::constant:
      return polygons(constant);
  }
  throw LogicError("phantom kind out of its enumeration");
}

}  // namespace meander::phantoms
