// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "session.hpp"

namespace meander::app {
namespace {

ConvertOptions options;

Description output_of(const Description& input) {
  Description output = input;
  output.type = options.type.value_or(input.type);
  return output;
}

struct Plan {
  std::int64_t length, steps, slabs, bytes;
};

Plan plan_for(const Description& input) {
  const std::int64_t length = io::slab_length(input.shape);
  const std::int64_t step_bytes = estimate_bytes(slab_step(input), options);
  const std::int64_t steps = slab_steps(length, step_bytes);
  return {length, steps, (length + steps - 1) / steps, steps * step_bytes};
}

void convert_slab(Session& session, io::Reader& reader, io::Writer& writer, std::int64_t begin,
                  std::int64_t end, std::int64_t length) {
  const auto total = static_cast<double>(length);
  const double from = static_cast<double>(begin) / total, to = static_cast<double>(end) / total;
  Report& report = session.report();
  const Image in = report.timed(
      "read", [&] { return reader.slab(begin, end, session.control(from, (from + to) / 2)); });
  const Image out = report.timed(
      "compute", [&] { return convert(session.device().upload(in), options).download(); });
  report.timed("write", [&] { writer.append(out, session.control((from + to) / 2, to)); });
}

int run(Session& session) {
  io::Reader reader(session.argument(0), session.read_options());
  const Description& input = reader.description();
  const Description output = output_of(input);
  const Plan plan = plan_for(input);
  session.report().add_input(session.argument(0), input);
  session.report().add_output(session.argument(1), output);
  session.report().result() = {{"slabs", plan.slabs}, {"slab_bytes", plan.bytes}};
  session.log(fmt::format("{} slabs of {} bytes", plan.slabs, plan.bytes));
  io::Writer writer(session.argument(1),
                    output);  // refuses a bad target; leaves nothing until finished
  if (session.common().dry_run) {
    session.say(fmt::format("would convert {} {} to {} on {} in {} slabs of {} bytes",
                            to_string(input.shape), name_of(input.type), name_of(output.type),
                            session.device().name(), plan.slabs, plan.bytes));
    return done;
  }
  for_each_slab(plan.length, plan.steps, [&](std::int64_t begin, std::int64_t end) {
    convert_slab(session, reader, writer, begin, end, plan.length);
  });
  session.report().timed("write", [&] { writer.finish(); });
  return done;
}

}  // namespace

Verb convert_verb() {
  return {.name = "convert",
          .summary = "Changes file format and pixel type",
          .details =
              "Values are kept, rounded to nearest and saturated; only --window rescales. Spacing "
              "is carried "
              "over. Works in slabs, so files larger than memory pass through.",
          .example = "meander convert stack.tif stack.npy --type f32",
          .arguments = {{.name = "IN", .help = "an image file"},
                        {.name = "OUT", .help = "its suffix chooses the format"}},
          .options = entries_of(options, device_options, input_options),
          .run = run};
}

}  // namespace meander::app
