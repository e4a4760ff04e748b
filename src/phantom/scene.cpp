// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/scene.hpp"

#include "core/message.hpp"

namespace meander::phantoms {
namespace {

class PolygonScene : public Scene {
 public:
  PolygonScene(RegionsOf shape, const Canvas& canvas) : shape_(shape), canvas_(canvas) {}

  std::vector<Region> regions(const Band& band, Layer layer) const override {
    return shape_(canvas_, band, layer);
  }

 private:
  RegionsOf shape_;
  Canvas canvas_;
};

class VesselScene : public Scene {
 public:
  explicit VesselScene(const Canvas& canvas) : tubes_(grow_vessels(canvas)) {}

  std::vector<Region> regions(const Band&, Layer) const override { return {}; }
  void paint(const Band& band, Layer, std::uint8_t* tenths) const override {
    paint_tubes(tubes_, band, tenths);
  }
  std::string_view without_outlines() const override {
    return "vessels have no polygon outlines; their mask is the truth";
  }

 private:
  std::vector<Tube> tubes_;
};

bool has_objects(PhantomKind kind) {
  return kind == PhantomKind::blobs || kind == PhantomKind::rings || kind == PhantomKind::film;
}

void refuse_unless_default(double value, double usual, const char* name, const std::string& kind) {
  if (value == usual) return;
  throw InvalidArgument(message(name, " is ", value, " with kind ", kind, ", expected flower"));
}

void check_options_of_curves(const PhantomOptions& options) {
  const std::string kind = OptionText<PhantomKind>::format(options.kind);
  const PhantomOptions usual;
  if (options.kind == PhantomKind::flower) return;
  refuse_unless_default(static_cast<double>(options.arms), static_cast<double>(usual.arms), "arms",
                        kind);
  refuse_unless_default(options.amplitude, usual.amplitude, "amplitude", kind);
  refuse_unless_default(options.rotation, usual.rotation, "rotation", kind);
  if (options.centre != usual.centre && options.kind != PhantomKind::disc) {
    throw InvalidArgument(message("centre is ", options.centre[0], ",", options.centre[1],
                                  " with kind ", kind, ", expected flower or disc"));
  }
}

void check_options_of_kind(const PhantomOptions& options) {
  const std::string kind = OptionText<PhantomKind>::format(options.kind);
  if (options.count && !has_objects(options.kind)) {
    throw InvalidArgument(message("count is ", *options.count, " with kind ", kind,
                                  ", expected blobs, rings or film"));
  }
  if (options.touching && options.kind != PhantomKind::blobs) {
    throw InvalidArgument(message("touching was given with kind ", kind, ", expected blobs"));
  }
  if (options.blur > 0 && options.kind == PhantomKind::constant) {
    throw InvalidArgument(message("blur is ", options.blur, " with kind ", kind,
                                  ", expected a kind that shows something"));
  }
  check_options_of_curves(options);
}

}  // namespace

void Scene::paint(const Band& band, Layer layer, std::uint8_t* tenths) const {
  rasterise(regions(band, layer), band, tenths);
}

std::unique_ptr<Scene> scene_of(const PhantomOptions& options) {
  check_options_of_kind(options);
  const Canvas canvas{options.size, options.seed};
  const auto polygons = [&](RegionsOf shape) {
    return std::make_unique<PolygonScene>(shape, canvas);
  };
  switch (options.kind) {
    case PhantomKind::film:
      return film_scene(options);
    case PhantomKind::flower:
    case PhantomKind::disc:
      return flower_scene(options);
    case PhantomKind::star:
      return polygons(star);
    case PhantomKind::blobs:
    case PhantomKind::rings:
      return blob_scene(options);
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
