// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Where an image lies in the world, its spacing and its unit come out of every filter as they went
// in.
#include <gtest/gtest.h>

#include <algorithm>

#include "meander/meander.hpp"

namespace meander {
namespace {

Placement oblique() {
  return {.origin = {-31.5, 12.25, 7.125},
          .step = {{{0.3, 0.4, 0}, {-0.6, 0.45, 0}, {0.1, 0, 2}}},
          .axes = WorldAxes::ras,
          .from = WorldOrigin::scanner};
}

Description placed(const Shape& shape, PixelType type = PixelType::f32) {
  return {.shape = shape,
          .type = type,
          .spacing = {.x = 0.5, .y = 0.75, .z = 2, .unit = Unit::millimetre},
          .placement = oblique()};
}

/// A slope, so that there is a gradient.
Image placed_image(const Device& device, const Shape& shape) {
  Image image = Image::allocate(placed(shape));
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      float value = static_cast<float>(y + z);
      std::generate_n(image.mutable_row<float>(y, z), shape.x, [&] { return value += 0.5f; });
    }
  }
  return device.upload(image);
}

void expect_placed(const Image& image, const char* what) {
  const Description& found = image.description();
  EXPECT_EQ(found.placement, oblique()) << what;
  EXPECT_EQ(found.spacing, placed({}).spacing) << what;
}

template <class Work>
void on_each(Work&& work) {
  for (const char* name : {"cpu", "reference"}) {
    SCOPED_TRACE(name);
    for (const Shape& shape : {Shape{12, 10, 1}, Shape{12, 10, 6}}) {
      work(placed_image(Device::open(name), shape));
    }
  }
}

TEST(Placement, ConvertKeepsIt) {
  on_each([](const Image& image) {
    expect_placed(convert(image, {.type = PixelType::u8, .window = {{0, 9}}}), "window");
    expect_placed(convert(image, {.type = PixelType::f64}), "f64");
    expect_placed(image.download(), "download");
  });
}

TEST(Placement, SmoothKeepsItInEveryOutput) {
  on_each([](const Image& image) {
    for (const SmoothOutput output :
         {SmoothOutput::image, SmoothOutput::gradient, SmoothOutput::magnitude,
          SmoothOutput::hessian, SmoothOutput::laplacian}) {
      SmoothOptions options;
      options.sigma = 1.0;
      options.output = output;
      expect_placed(smooth(image, options), "smooth");
      EXPECT_EQ(plan_smooth(image.description(), options).output.placement, oblique());
    }
    SmoothOptions masked;
    masked.sigma = 1.0;
    expect_placed(smooth(image, masked, {convert(image, {.type = PixelType::u8})}), "mask");
  });
}

TEST(Placement, FlowKeepsItByEverySolver) {
  on_each([](const Image& image) {
    for (const FlowSolver solver :
         {FlowSolver::multigrid, FlowSolver::explicit_steps, FlowSolver::fed}) {
      FlowOptions options;
      options.solver = solver;
      if (solver != FlowSolver::multigrid) options.iterations = 3;
      options.mu = 0.05;
      const FlowResult found = flow(image, options);
      expect_placed(found.field.components(), "field");
      expect_placed(magnitude_of(found.field), "magnitude");
      expect_placed(unit_vectors_of(found.field).components(), "unit");
      if (solver != FlowSolver::explicit_steps) continue;
      options.storage = FlowStorage::f16;
      expect_placed(flow(image, options).field.components(), "f16");
    }
    const Field gradient = flow_gradient(image, {});
    expect_placed(gradient.components(), "gradient");
    expect_placed(flow(gradient, {}).field.components(), "of a field");
  });
}

TEST(Placement, ReactHasThatOfTheImageOfThisRun) {
  on_each([](const Image& image) {
    ReactOptions options = with_stable_dt(image.shape(), react_preset("edges"));
    options.steps = 3;
    options.layer = ReactLayer::both;
    Description announced = image.description();
    announced.placement.reset();
    Reactor reactor(image.device(), announced, options);
    const Image layers = reactor.run(image);
    expect_placed(layers, "layers");
    expect_placed(react_pixels(layers, options, reactor.figures(), PixelType::u8), "pixels");
  });
}

}  // namespace
}  // namespace meander
