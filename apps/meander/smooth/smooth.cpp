// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "smooth/smooth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "input/input_image.hpp"
#include "session/in_place.hpp"

namespace meander::app {
namespace {

SmoothVerbOptions options;

/// Derivatives have both signs, which an unsigned type would cut off without a word.
bool has_signs() {
  const bool signs_stay = options.output == SmoothOutput::image
                              ? options.order == std::array<int, 3>{}
                              : options.output == SmoothOutput::magnitude;
  return !signs_stay;
}

/// The result's own type, or where the suffix cannot hold it f32, or else the input's.
PixelType type_to_write(const std::string& path, const Description& input,
                        const Description& result) {
  if (options.type) return *options.type;
  for (const PixelType type : {result.type, PixelType::f32, input.type}) {
    const bool cuts = has_signs() && (type == PixelType::u8 || type == PixelType::u16);
    if (io::can_hold(path, type) && !cuts) return type;
  }
  return result.type;  // which the writer refuses by name
}

/// Each filter once: an axis may have several, of the orders that the output needs.
Json json_of_axes(const SmoothPlan& plan) {
  constexpr const char* names[] = {"x", "y", "z"};
  Json axes = Json::array();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::set<int> seen;
    for (const auto& component : plan.components) {
      const SmoothAxis& filter = component[axis];
      if (filter.sigma == 0 || !seen.insert(filter.order).second) continue;
      axes.push_back({{"axis", names[axis]},
                      {"sigma_pixels", filter.sigma},
                      {"order", filter.order},
                      {"method", OptionText<SmoothMethod>::format(filter.method)},
                      {"error", number(filter.error)}});
    }
  }
  return axes;
}

std::string methods_in(const Json& axes) {
  std::set<std::string> names;
  for (const Json& axis : axes) names.insert(axis["method"].text());
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ","));
}

void report_filters(Session& session, const SmoothPlan& plan) {
  Json& result = session.report().result();
  const Json axes = json_of_axes(plan);
  result["method"] = methods_in(axes);
  result["order"] = options.order;
  result["error_bound"] = options.error_bound;
  result["axes"] = axes;
  for (const Json& axis : axes) {
    const std::string line =
        fmt::format("axis {}: sigma {:g} pixels, order {:g}, {}, error {:.2g}", axis["axis"].text(),
                    axis["sigma_pixels"].number(), axis["order"].number(), axis["method"].text(),
                    axis["error"].number());
    session.log(line);
    if (session.common().dry_run) session.say(line);
  }
}

void report_memory(Session& session, const SmoothWork& work) {
  Json& result = session.report().result();
  result["memory_bytes"] = work.memory_bytes();
  result["slabs"] = work.slabs().slabs;
  result["spill_bytes"] = work.slabs().spill_bytes;
  const std::string line =
      work.in_slabs()
          ? fmt::format("in {} slabs, {} bytes of memory, {} bytes in a temporary file",
                        work.slabs().slabs, work.memory_bytes(), work.slabs().spill_bytes)
          : fmt::format("in memory at once, {} bytes", work.memory_bytes());
  session.log(line);
  if (session.common().dry_run) session.say("would work " + line);
}

int run(Session& session) {
  validate(options);
  take_grey_as_one_channel(session, false);
  io::Reader& reader = session.open_input(session.read_options());
  std::optional<io::Reader> mask;
  if (!options.mask.empty()) mask = open_grey_mask(session, reader, options.mask);
  const Description& input = reader.description();
  session.report().add_input(session.argument(0), input, reader.film());
  if (mask) session.report().add_input(options.mask, mask->description());
  const SmoothPlan plan = plan_smooth(input, options, mask ? &mask->description() : nullptr);
  Description output = plan.output;
  output.type = type_to_write(session.argument(1), input, plan.output);
  session.report().add_output(session.argument(1), output);
  session.report().set_option("type", name_of(output.type));
  SmoothWork work(session, options, reader, mask ? &*mask : nullptr, plan.output, output);
  report_filters(session, plan);
  report_memory(session, work);
  // Refuses a bad target; leaves nothing until it is finished.
  io::Writer& writer = session.open_out(output);
  if (session.common().dry_run) return done;
  work.run(writer);
  session.report().timed("write", [&] { session.finish_out(); });
  return done;
}

}  // namespace

Verb smooth_verb() {
  return {.name = "smooth",
          .summary = "Smooths by a Gaussian of any scale, or takes its derivatives",
          .details =
              "The cost does not depend on sigma. Values come out as f32 (f64 with --precision "
              "double and for f64 images) unless --type says otherwise; where the suffix cannot "
              "hold that, in the input's type, rounded and saturated, but for derivatives, whose "
              "signs an unsigned type would lose. An image larger than the memory budget passes "
              "through in slabs, with a temporary file beside OUT, and the result is the same.",
          .example = "meander smooth stack.tif soft.tif --sigma 1.5um",
          .arguments = {{.name = "IN", .help = "an image file"},
                        {.name = "OUT", .help = "its suffix chooses the format"}},
          .options =
              entries_of(options, device_options, input_options, output_options, in_place_options),
          .films = Films::each,
          .unknown_pages = UnknownPages::asked,
          .showing = Showing::values,
          .run = run};
}

}  // namespace meander::app
