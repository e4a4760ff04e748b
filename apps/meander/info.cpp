// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "session.hpp"

namespace meander::app {
namespace {

Statistics statistics_of(Session& session, io::Reader& reader, const SlabPlan& plan) {
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

void say_description(const Session& session, const io::Reader& reader) {
  const Description& d = reader.description();
  session.say(fmt::format("{}: {}, {}, {} channel{}, {}", session.argument(0), reader.format(),
                          to_string(d.shape), d.channels, d.channels == 1 ? "" : "s",
                          name_of(d.type)));
  session.say(fmt::format("spacing  {} x {} x {} {}", d.spacing.x, d.spacing.y, d.spacing.z,
                          name_of(d.spacing.unit)));
}

void say_statistics(const Session& session, const Statistics& figures) {
  session.say(fmt::format("values   min {}, max {}, mean {}, standard deviation {:g}", figures.min,
                          figures.max, figures.mean, figures.standard_deviation));
  if (figures.nonfinite > 0)
    session.say(
        fmt::format("nonfinite {} of {}", figures.nonfinite, figures.nonfinite + figures.finite));
}

int run(Session& session) {
  io::Reader reader(session.argument(0), session.read_options());
  session.report().add_input(session.argument(0), reader.description());
  Json& result = session.report().result();
  result["format"] = reader.format();
  const SlabPlan plan =
      plan_slabs(reader.description().shape, estimate_bytes(slab_step(reader.description())));
  if (session.common().dry_run) {
    say_description(session, reader);
    session.say("would compute on " + session.device().name());
    session.report_plan(plan);
    return done;
  }
  const Statistics figures = statistics_of(session, reader, plan);
  say_description(session, reader);
  result.update(json_of(figures));
  say_statistics(session, figures);
  return done;
}

}  // namespace

Verb info_verb() {
  return {
      .name = "info",
      .summary = "Shape, pixel type, spacing and statistics of an image",
      .details =
          "Statistics are over the finite numbers of all channels; NaN and infinities are counted. "
          "With --dry-run only the header is read.",
      .example = "meander info cells.tif --json",
      .arguments = {{.name = "IN", .help = "an image file"}},
      .options = entries_of(device_options, input_options),
      .run = run};
}

}  // namespace meander::app
