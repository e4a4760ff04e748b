// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "input/input_image.hpp"
#include "meander/convert.hpp"
#include "meander/window.hpp"
#include "session/session.hpp"

namespace meander::app {
namespace {

struct ConvertVerbOptions {
  std::optional<PixelType> type;
  std::optional<ValueWindow> window;

  template <class Visitor>
  void describe(Visitor& v) {
    v(type, {.name = "type", .help = "pixel type of the output [the input's]"});
    v(window, {.name = "window",
               .help = "map these to the ends of an integer type, or to 0,1 of a float type; auto: "
                       "the 0.1 and 99.9 percentiles, of all frames that are converted [values are "
                       "kept]"});
  }
};

/// For all frames that are converted.
struct ConvertCall {
  ConvertVerbOptions options;
  std::optional<std::array<double, 2>> found;  ///< The window of --window auto.
};

Description output_of(const ConvertVerbOptions& options, const Description& input) {
  Description output = input;
  output.type = options.type.value_or(input.type);
  return output;
}

/// One for all frames, for they would flicker else.
std::array<double, 2> window_over_frames(Session& session, io::Reader& reader,
                                         const SlabPlan& plan) {
  const FoundWindow found = find_window(reader.description().type, [&](const auto& add) {
    every_chosen_slab(session, session.argument(0), reader, plan, [&](const Image& slab) {
      add(slab);
      return true;
    });
  });
  const io::ReadOptions now = session.read_options();
  if (now.slice) reader.select_slice(now.slice->index);
  if (reader.film().frames > 1) reader.select_frame(now.frame.value_or(0));
  const auto [low, high] = found.window;
  // All pixels alike become the lower end.
  return low < high ? found.window : std::array{low, low + std::max(1.0, std::abs(low))};
}

ConvertOptions settled_options(Session& session, ConvertCall& call, io::Reader& reader,
                               const SlabPlan& plan) {
  const ConvertVerbOptions& options = call.options;
  ConvertOptions used{.type = options.type, .window = {}};
  if (!options.window) return used;
  // Runs of a sweep have windows of their own.
  const bool is_known = call.found && session.is_one_of_frames();
  if (!options.window->ends && !is_known) {
    call.found = window_over_frames(session, reader, plan);
  }
  used.window = options.window->ends ? options.window->ends : call.found;
  session.report().result()["window"] = *used.window;
  return used;
}

ValueLosses losses(const ConvertVerbOptions& options, const Image& in, const ConvertOptions& used,
                   const std::string& path) {
  ValueLosses losses = losses_of(in, used, path);
  if (is_integer(losses.type)) losses.zeroed = count_nan(in);
  if (!used.window) {
    losses.advice = "--window auto scales instead, " + losses.advice;
  } else if (options.window->ends) {
    losses.advice = "--window auto or a wider one takes them in";
  } else {
    losses.advice = "";  // auto is asked to leave some out
  }
  return losses;
}

void convert_slab(Session& session, const ConvertVerbOptions& given, io::Reader& reader,
                  io::Writer& writer, const ConvertOptions& used, std::int64_t begin,
                  std::int64_t end, const Control& control) {
  Report& report = session.report();
  const Image in = report.timed("read", [&] { return reader.slab(begin, end, control); });
  const Image out = report.timed(
      "compute", [&] { return convert(session.device().upload(in), used).download(); });
  session.add_losses(losses(given, in, used, session.argument(1)));
  report.timed("write", [&] { writer.append(out, control); });
}

int run(Session& session, ConvertCall& call) {
  session.plan({});
  io::Reader& reader = session.open_input(session.read_options());
  const Description& input = reader.description();
  const Description output = output_of(call.options, input);
  const SlabPlan plan = plan_slabs(
      input.shape, estimate_bytes(slab_step(input), {.type = call.options.type, .window = {}}));
  session.report().add_input(session.argument(0), input, reader.film());
  session.report().add_output(session.argument(1), output);
  session.report().set_option("type", name_of(output.type));
  // Refuses a bad target; leaves nothing until it is finished.
  io::Writer& writer =
      session.open_out(output, {}, reader.pages_unknown() && !session.invocation().input.slice);
  if (session.common().dry_run) {
    session.say(fmt::format("would convert {} {} to {} on {}", to_string(input.shape),
                            name_of(input.type), name_of(output.type), session.device().name()));
  }
  session.report_plan(plan);
  if (session.common().dry_run) return done;
  const ConvertOptions used = settled_options(session, call, reader, plan);
  for_each_slab(session, plan, [&](std::int64_t begin, std::int64_t end, const Control& control) {
    convert_slab(session, call.options, reader, writer, used, begin, end, control);
  });
  session.report().timed("write", [&] { session.finish_out(); });
  return done;
}

}  // namespace

Verb convert_verb() {
  const auto call = std::make_shared<ConvertCall>();
  const auto shared = std::make_shared<Invocation>();
  return {.name = "convert",
          .summary = "Changes file format and pixel type",
          .details =
              "Values are kept, rounded to nearest and saturated; only --window rescales; where "
              "more than one value in 1000 "
              "saturates, or NaN becomes 0, a warning says how many. Channels stay as they are, "
              "those of a grey RGB too, "
              "unless --grey or --channel makes one of them. Spacing, "
              "place in the world and the time between frames are carried over where the format "
              "has room for them. Works in slabs, so files larger than memory pass through.",
          .example = "meander convert stack.tif stack.npy --type f32",
          .arguments = {{.name = "IN", .help = "an image file"},
                        {.name = "OUT", .help = "its suffix chooses the format"}},
          .options = entries_of(call->options, shared->device, shared->input, shared->output,
                                shared->in_place),
          .films = Films::each,
          .showing = Showing::values,
          .run = [call](Session& session) { return run(session, *call); },
          .invocation = shared};
}

}  // namespace meander::app
