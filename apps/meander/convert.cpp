// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "meander/convert.hpp"
#include "session.hpp"

namespace meander::app {
namespace {

ConvertOptions options;

Description output_of(const Description& input) {
  Description output = input;
  output.type = options.type.value_or(input.type);
  return output;
}

void convert_slab(Session& session, io::Reader& reader, io::Writer& writer, std::int64_t begin,
                  std::int64_t end, const Control& control) {
  Report& report = session.report();
  const Image in = report.timed("read", [&] { return reader.slab(begin, end, control); });
  const Image out = report.timed(
      "compute", [&] { return convert(session.device().upload(in), options).download(); });
  report.timed("write", [&] { writer.append(out, control); });
}

int run(Session& session) {
  io::Reader& reader = session.open_input(session.read_options());
  const Description& input = reader.description();
  const Description output = output_of(input);
  const SlabPlan plan = plan_slabs(input.shape, estimate_bytes(slab_step(input), options));
  session.report().add_input(session.argument(0), input, reader.film());
  session.report().add_output(session.argument(1), output);
  session.report().set_option("type", name_of(output.type));
  // Refuses a bad target; leaves nothing until it is finished.
  io::Writer& writer = session.open_out(output);
  if (session.common().dry_run) {
    session.say(fmt::format("would convert {} {} to {} on {}", to_string(input.shape),
                            name_of(input.type), name_of(output.type), session.device().name()));
  }
  session.report_plan(plan);
  if (session.common().dry_run) return done;
  for_each_slab(session, plan, [&](std::int64_t begin, std::int64_t end, const Control& control) {
    convert_slab(session, reader, writer, begin, end, control);
  });
  session.report().timed("write", [&] { session.finish_out(); });
  return done;
}

}  // namespace

Verb convert_verb() {
  return {.name = "convert",
          .summary = "Changes file format and pixel type",
          .details =
              "Values are kept, rounded to nearest and saturated; only --window rescales. Spacing, "
              "place in the world and the time between frames are carried over where the format "
              "has room for them. Works in slabs, so files larger than memory pass through.",
          .example = "meander convert stack.tif stack.npy --type f32",
          .arguments = {{.name = "IN", .help = "an image file"},
                        {.name = "OUT", .help = "its suffix chooses the format"}},
          .options = entries_of(options, device_options, input_options, output_options),
          .films = Films::each,
          .showing = Showing::values,
          .run = run};
}

}  // namespace meander::app
