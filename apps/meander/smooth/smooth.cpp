// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "input/input_image.hpp"
#include "meander/smooth_file.hpp"
#include "session/timed_compute.hpp"

namespace meander::app {
namespace {

struct SmoothVerbOptions {
  SmoothOptions smooth;
  std::string mask;
  std::optional<PixelType> type;
  std::optional<std::int64_t> repeat;

  template <class Visitor>
  void describe(Visitor& v) {
    smooth.describe(v);
    v(mask, {.name = "mask",
             .help = "an image of the same shape: pixels where it is 0 neither count nor change"});
    v(type, {.name = "type", .help = "pixel type to write; values are rounded and saturated"});
    v(repeat, {.name = "repeat",
               .min = 1,
               .max = 1000,
               .help = "compute so many times after one warm-up and report each time"});
  }
};

/// Derivatives have both signs, which an unsigned type would cut off without a word.
bool has_signs(const SmoothOptions& options) {
  const bool signs_stay = options.output == SmoothOutput::image
                              ? options.order == std::array<int, 3>{}
                              : options.output == SmoothOutput::magnitude;
  return !signs_stay;
}

/// The result's own type, or where the suffix cannot hold it f32, or else the input's.
PixelType type_to_write(const SmoothVerbOptions& options, const std::string& path,
                        const Description& input, const Description& result) {
  if (options.type) return *options.type;
  for (const PixelType type : {result.type, PixelType::f32, input.type}) {
    const bool cuts =
        has_signs(options.smooth) && (type == PixelType::u8 || type == PixelType::u16);
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

void report_filters(Session& session, const SmoothOptions& options, const SmoothPlan& plan) {
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

/// Chooses the device, and whether the image goes through at once or in slabs.
SmoothFilePlan plan_file(Session& session, const SmoothVerbOptions& given, const SmoothFile& file) {
  const SmoothOptions& options = given.smooth;
  const auto fits = [&](const Device& device) {
    return estimate_bytes(file, options, device) <=
           static_cast<std::int64_t>(session.budget(device));
  };
  const Device cpu = Device::open("cpu");
  Work work = estimate_work(file.image->description(), options,
                            file.mask != nullptr ? &file.mask->description() : nullptr);
  work *= static_cast<double>(given.repeat.value_or(0) + 1);
  // What goes in slabs on `cpu` too goes where it ends sooner.
  session.plan(work, [&](const Device& device) { return fits(device) || !fits(cpu); });
  const Device& device = session.device();
  if (given.repeat && !fits_at_once(file, options, device)) {
    throw InvalidArgument(fmt::format(
        "--repeat: the image needs {} bytes, expected it to fit into the {} bytes that are left",
        estimate_bytes(file, options, device), device.available_memory()));
  }
  return plan_smooth_file(file, options, device);
}

void report_memory(Session& session, const SmoothFilePlan& plan) {
  const SmoothSlabs& slabs = plan.slabs;
  Json& result = session.report().result();
  result["memory_bytes"] = slabs.bytes;
  result["slabs"] = slabs.slabs;
  result["spill_bytes"] = slabs.spill_bytes;
  const std::string line =
      plan.in_slabs ? fmt::format("in {} slabs, {} bytes of memory, {} bytes in a temporary file",
                                  slabs.slabs, slabs.bytes, slabs.spill_bytes)
                    : fmt::format("in memory at once, {} bytes", slabs.bytes);
  session.log(line);
  if (session.common().dry_run) session.say("would work " + line);
}

void report_figures(Session& session, const SmoothVerbOptions& options,
                    const SmoothFileFigures& figures, bool in_slabs, PixelType written) {
  Report& report = session.report();
  report.set_seconds("read", report.seconds("read") + figures.read);
  if (!options.repeat) report.set_seconds("compute", figures.compute);
  report.set_seconds("write", report.seconds("write") + figures.write);
  if (in_slabs) report.set_seconds("spill", figures.spill);
  ValueLosses losses = no_losses(written, session.argument(1));
  losses.values = figures.values;
  losses.saturated = figures.saturated;
  losses.not_finite = figures.nonfinite;
  session.add_losses(losses);
}

int run(Session& session, const SmoothVerbOptions& options) {
  validate(options);
  take_grey_as_one_channel(session, false);
  io::Reader& reader = session.open_input(session.read_options());
  std::optional<io::Reader> mask;
  if (!options.mask.empty()) mask = open_grey_mask(session, reader, options.mask);
  const Description& input = reader.description();
  session.report().add_input(session.argument(0), input, reader.film());
  if (mask) session.report().add_input(options.mask, mask->description());
  const SmoothPlan plan = plan_smooth(input, options.smooth, mask ? &mask->description() : nullptr);
  Description output = plan.output;
  output.type = type_to_write(options, session.argument(1), input, plan.output);
  session.report().add_output(session.argument(1), output);
  session.report().set_option("type", name_of(output.type));
  SmoothFile file{.image = &reader,
                  .mask = mask ? &*mask : nullptr,
                  .written = output.type,
                  .spill_folder = std::filesystem::path(session.argument(1)).parent_path()};
  if (options.repeat) {
    file.timed = [&](const auto& compute) { timed_compute(session, options.repeat, compute); };
  }
  const SmoothFilePlan how = plan_file(session, options, file);
  report_filters(session, options.smooth, plan);
  report_memory(session, how);
  // Refuses a bad target; leaves nothing until it is finished.
  io::Writer& writer = session.open_out(output);
  if (session.common().dry_run) return done;
  const SmoothFileFigures figures = run_named(session.argument(0), [&] {
    return smooth_file(file, how, writer, options.smooth, session.device(), session.control());
  });
  report_figures(session, options, figures, how.in_slabs, output.type);
  session.report().timed("write", [&] { session.finish_out(); });
  return done;
}

}  // namespace

Verb smooth_verb() {
  const auto options = std::make_shared<SmoothVerbOptions>();
  const auto shared = std::make_shared<Invocation>();
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
              entries_of(*options, shared->device, shared->input, shared->output, shared->in_place),
          .films = Films::each,
          .unknown_pages = UnknownPages::asked,
          .showing = Showing::values,
          .run = [options](Session& session) { return run(session, *options); },
          .invocation = shared};
}

}  // namespace meander::app
