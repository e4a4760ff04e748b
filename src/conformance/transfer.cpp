// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "conformance/stencil_samples.hpp"

namespace meander::conformance {
namespace {

using engine::Prolongation;

/// One call of transfer and the images it works on.
struct Case {
  Case(const Shape& shape, unsigned halved_axes, PixelType type, Prolongation chosen,
       bool has_weight)
      : coarse(halved_along(shape, halved_axes), 1, type, 1),
        fine(shape, 1, type, 2),
        weight(shape, 1, type, 3),
        how(chosen),
        is_weighted(has_weight) {
    if (how == Prolongation::replace) fine.fill_with_nan();  // nobody looks at what is replaced
  }
  Framed coarse, fine, weight;
  Prolongation how;
  bool is_weighted;
};

/// What lies in the finer image after the call, frame included.
Image outcome(const Device& device, const Case& given) {
  const Image coarse = device.upload(given.coarse.image);
  const Image fine = device.upload(given.fine.image).clone();
  const Image weight = device.upload(given.weight.image);
  device.backend().transfer(given.coarse.inside(coarse), given.fine.inside(fine),
                            given.is_weighted ? given.weight.inside(weight) : engine::View{},
                            given.how);
  return fine.download();
}

Deviation check_all(const Device& device, PixelType type, Prolongation how, bool has_weight) {
  const std::string what = std::string(how == Prolongation::add ? "added" : "carried") +
                           (has_weight ? " by weights" : "") + " to finer, of the range";
  Deviation found{.engine = "stencil", .check = std::string(name_of(type)) + ", " + what};
  // What is carried as it is stays equal. A product and a sum round twice, `reference` once.
  const double rounding = type == PixelType::f64 ? 0x1p-53 : 0x1p-24;
  if (has_weight || how == Prolongation::add) found.tolerance = 3 * rounding;
  const auto compare = [&](const Shape& shape, unsigned halved_axes) {
    const Case given(shape, halved_axes, type, how, has_weight);
    const Image expected = outcome(Device::open("reference"), given);
    raise(found, largest_difference(expected, outcome(device, given)) / stencil_range);
  };
  for (const Shape& shape : small_shapes) {
    for (unsigned halved_axes = 0; halved_axes < 8; ++halved_axes) compare(shape, halved_axes);
  }
  for (const Shape& shape : large_shapes) compare(shape, 7);
  return found;
}

}  // namespace

std::vector<Deviation> check_transfer(const Device& device, PixelType type) {
  std::vector<Deviation> all;
  for (const Prolongation how : {Prolongation::replace, Prolongation::add}) {
    for (const bool has_weight : {false, true}) {
      all.push_back(check_all(device, type, how, has_weight));
    }
  }
  return all;
}

}  // namespace meander::conformance
