// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <cmath>

#include "input/frames.hpp"
#include "meander/statistics.hpp"
#include "session/session.hpp"

namespace meander::app {
namespace {

Statistics statistics_of_frame(Session& session, io::Reader& reader, const SlabPlan& plan) {
  std::optional<Statistics> all;
  Report& report = session.report();
  for_each_slab(session, plan, [&](std::int64_t begin, std::int64_t end, const Control& control) {
    const Image slab = report.timed("read", [&] { return reader.slab(begin, end, control); });
    const Statistics part =
        report.timed("compute", [&] { return statistics(session.device().upload(slab)); });
    all = all ? combined(*all, part) : part;
  });
  return *all;
}

Json json_of(const Statistics& figures) {
  return {
      {"min", number(figures.min)},     {"max", number(figures.max)},
      {"mean", number(figures.mean)},   {"standard_deviation", number(figures.standard_deviation)},
      {"sum", number(figures.sum)},     {"norm1", number(figures.norm1)},
      {"norm2", number(figures.norm2)}, {"finite", figures.finite},
      {"nonfinite", figures.nonfinite}};
}

/// Of all chosen frames together, and of each into the report of a film.
Statistics statistics_of(Session& session, io::Reader& reader, const SlabPlan& plan,
                         const FrameRange& frames) {
  std::optional<Statistics> all;
  Json per_frame = Json::array();
  for (std::int64_t frame = frames.first; frame < frames.first + frames.count; ++frame) {
    frames.are_slices ? reader.select_slice(frame) : reader.select_frame(frame);
    const Statistics one = statistics_of_frame(session, reader, plan);
    all = all ? combined(*all, one) : one;
    per_frame.push_back({{frames.word(), frame}});
    per_frame.back().update(json_of(one));
  }
  if (frames.are_slices ? frames.count > 1 : frames.film.frames > 1) {
    session.report().result()[frames.word() + "s"] = frames.count;
    session.report().result()["per_" + frames.word()] = std::move(per_frame);
  }
  return *all;
}

std::string words(const Placement::Vector& v, double unit = 1) {
  // Adding 0 makes of -0 a plain 0.
  return fmt::format("{:.6g} {:.6g} {:.6g}", v[0] / unit + 0, v[1] / unit + 0, v[2] / unit + 0);
}

void say_placement(const Session& session, const Placement& placement, Unit unit) {
  session.say(fmt::format("world    {} in {} axes, origin {} {}", placement.orientation(),
                          name_of(placement.axes), words(placement.origin), name_of(unit)));
  std::string line;
  for (const Placement::Vector& step : placement.step) {
    const double length = std::hypot(step[0], step[1], step[2]);
    line += (line.empty() ? "" : ", ") + words(step, length > 0 ? length : 1);
  }
  session.say("direction of x, y, z  " + line);
}

void say_film(const Session& session, const io::Film& film) {
  if (film.frames == 1) return;
  session.say(fmt::format("frames   {}{}", film.frames,
                          film.seconds > 0 ? fmt::format(", {:g} s apart", film.seconds) : ""));
}

void say_description(const Session& session, const io::Reader& reader) {
  const Description& d = reader.description();
  session.say(fmt::format("{}: {}, {}, {}, {}", session.argument(0), reader.format(),
                          to_string(d.shape), counted(d.channels, "channel"), name_of(d.type)));
  session.say(fmt::format("spacing  {} x {} x {} {}", d.spacing.x, d.spacing.y, d.spacing.z,
                          name_of(d.spacing.unit)));
  say_film(session, reader.film());
  if (reader.pages_unknown()) {
    session.say("pages: unknown; --pages frames or --pages slices says what they are");
  }
  if (d.placement) say_placement(session, *d.placement, d.spacing.unit);
}

void say_statistics(const Session& session, const Statistics& figures) {
  session.say(fmt::format("values   min {}, max {}, mean {}, standard deviation {:g}", figures.min,
                          figures.max, figures.mean, figures.standard_deviation));
  if (figures.nonfinite > 0)
    session.say(
        fmt::format("nonfinite {} of {}", figures.nonfinite, figures.nonfinite + figures.finite));
}

int run(Session& session) {
  session.plan({});
  io::Reader reader(session.argument(0), session.read_options());
  session.log_print_density(session.argument(0), reader);
  session.report().add_input(session.argument(0), reader.description(), reader.film());
  const FrameRange frames = chosen_frames(session.invocation(), session.argument(0), reader);
  Json& result = session.report().result();
  result["format"] = reader.format();
  if (reader.pages_unknown()) result["pages"] = "unknown";
  const SlabPlan plan = plan_slabs(reader.description().shape,
                                   estimate_statistics_bytes(slab_step(reader.description())));
  if (session.common().dry_run) {
    say_description(session, reader);
    session.say("would compute on " + session.device().name());
    session.report_plan(plan);
    return done;
  }
  const Statistics figures = statistics_of(session, reader, plan, frames);
  say_description(session, reader);
  result.update(json_of(figures));
  say_statistics(session, figures);
  return done;
}

}  // namespace

Verb info_verb() {
  const auto shared = std::make_shared<Invocation>();
  return {
      .name = "info",
      .summary = "Shape, pixel type, spacing and statistics of an image",
      .details =
          "Statistics are over the finite numbers of all channels; NaN and infinities are counted. "
          "Of a film they are those of all frames that --frame chooses, and --json has them for "
          "each, as of slices that --slice chooses. "
          "With --dry-run only the header is read.",
      .example = "meander info cells.tif --json",
      .arguments = {{.name = "IN", .help = "an image file"}},
      .options = entries_of(shared->device, shared->input),
      .films = Films::itself,
      .run = run,
      .invocation = shared};
}

}  // namespace meander::app
