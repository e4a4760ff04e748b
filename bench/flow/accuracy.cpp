// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "bench/flow/flow.hpp"
#include "bench/flow/grids.hpp"
#include "meander/error.hpp"

namespace meander::bench {
namespace {

struct Case {
  const char* name;
  PhantomKind kind;
  NoiseFamily noise;
};
constexpr Case cases[] = {{"head", PhantomKind::shepp_logan, NoiseFamily::none},
                          {"star with noise", PhantomKind::star, NoiseFamily::gaussian}};

struct Named {
  const char* name;
  FlowOptions options;
};

/// The converged field: as far as float64 goes.
constexpr FlowOptions to_the_end{.tolerance = 1e-11, .precision = Precision::float64};

Field solved(const Image& image, const FlowOptions& options, const Control& control) {
  return Field(flow(image, options, {}, {.stop = control.stop}).field.components().download());
}

Field converged(const Image& image, const Control& control) {
  const FlowResult result = flow(image, to_the_end, {}, {.stop = control.stop});
  if (!result.figures.converged)
    throw NotConverged("the field that others are compared with did not converge");
  return Field(result.field.components().download());
}

/// All of one image's.
void add_case(FlowAccuracies& result, const char* name, const Image& image,
              const Control& control) {
  const auto steps = [&](FlowSolver solver, FlowStorage storage) {
    return FlowOptions{.solver = solver, .iterations = result.steps, .storage = storage};
  };
  const Field end = converged(image, control);
  const Named fields[] = {
      {"explicit f32", steps(FlowSolver::explicit_steps, FlowStorage::f32)},
      {"explicit f16", steps(FlowSolver::explicit_steps, FlowStorage::f16)},
      {"explicit snorm16", steps(FlowSolver::explicit_steps, FlowStorage::snorm16)},
      {"fed f32", steps(FlowSolver::fed, FlowStorage::f32)},
      {"multigrid 1e-6", {.tolerance = 1e-6}}};
  Field f32;
  for (const Named& entry : fields) {
    const Field found = solved(image, entry.options, control);
    result.rows.push_back({name, entry.name, "converged", field_errors(found, end)});
    if (f32.components().empty()) f32 = found;
    if (entry.options.storage == FlowStorage::f32) continue;
    result.rows.push_back({name, entry.name, fields[0].name, field_errors(found, f32)});
  }
}

}  // namespace

FlowAccuracies flow_accuracy(const Shape& size, const Device& device, const Control& control) {
  FlowAccuracies result{.size = size, .steps = std::max({size.x, size.y, size.z}), .rows = {}};
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    const auto share = [](std::size_t index) {
      return static_cast<double>(index) / static_cast<double>(std::size(cases));
    };
    control.step(share(i));
    const Image image = device.upload(flow_image(cases[i].kind, size, cases[i].noise,
                                                 part_of(control, share(i), share(i) + 0.1)));
    add_case(result, cases[i].name, image, control);
  }
  control.step(1);
  return result;
}

}  // namespace meander::bench
