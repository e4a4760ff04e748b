// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "session.hpp"

namespace meander::app {
namespace {

struct CompareOptions {
  double tolerance = 0;

  template <class Visitor>
  void describe(Visitor& v) {
    v(tolerance,
      {.name = "tolerance", .min = 0, .help = "largest difference that still counts as equal"});
  }
};

CompareOptions options;

Comparison compare_files(Session& session, io::Reader& a, io::Reader& b, const SlabPlan& plan) {
  Comparer comparer(a.description(), b.description(), options.tolerance);
  Report& report = session.report();
  for_each_slab(session, plan, [&](std::int64_t begin, std::int64_t end, const Control& control) {
    const Image left = report.timed("read", [&] { return a.slab(begin, end, control); });
    const Image right = report.timed("read", [&] { return b.slab(begin, end, control); });
    report.timed("compute", [&] { comparer.add(left, right, begin, control); });
  });
  return comparer.result();
}

Json json_of(const Comparison& found) {
  Json json = {
      {"max", number(found.max)}, {"rms", number(found.rms)}, {"psnr", number(found.psnr)}};
  json["iou"] = found.iou ? Json(*found.iou) : Json(nullptr);
  json["different"] = found.different;
  json["first_difference"] = nullptr;
  if (found.first) {
    json["first_difference"] = {{"x", found.first->x},         {"y", found.first->y},
                                {"z", found.first->z},         {"channel", found.first->channel},
                                {"a", number(found.first->a)}, {"b", number(found.first->b)}};
  }
  json["within_tolerance"] = !found.first;
  return json;
}

void say(const Session& session, const Comparison& found) {
  session.say(fmt::format("max {:g}, rms {:g}, psnr {:g} dB{}", found.max, found.rms, found.psnr,
                          found.iou ? fmt::format(", iou {:.6g}", *found.iou) : ""));
  if (found.first) {
    session.say(fmt::format(
        "{} numbers differ by more than {:g}, first at x {}, y {}, z {}, channel {}: {:g} and {:g}",
        found.different, options.tolerance, found.first->x, found.first->y, found.first->z,
        found.first->channel, found.first->a, found.first->b));
  }
}

int run(Session& session) {
  validate(options);
  io::Reader a(session.argument(0), session.read_options());
  io::Reader b(session.argument(1), session.read_options());
  session.report().add_input(session.argument(0), a.description());
  session.report().add_input(session.argument(1), b.description());
  const SlabPlan plan =
      plan_slabs(a.description().shape, padded_bytes(slab_step(a.description())) +
                                            padded_bytes(slab_step(b.description())));
  if (session.common().dry_run) {
    Comparer(a.description(), b.description(), options.tolerance);  // refuses what does not match
    session.say(fmt::format("would compare {} numbers", a.description().numbers()));
    session.report_plan(plan);
    return done;
  }
  const Comparison found = compare_files(session, a, b, plan);
  session.report().result() = json_of(found);
  say(session, found);
  return found.first ? not_met : done;
}

}  // namespace

Verb compare_verb() {
  return {.name = "compare",
          .summary = "Compares two images: max, RMS, PSNR, IoU of masks, first difference",
          .details =
              "Exit code 0 when no two numbers differ by more than the tolerance, 8 when some do. "
              "Pixel types may "
              "differ, shapes may not. NaN equals NaN. IoU is given when each holds no values but "
              "0 and one above it.",
          .example = "meander compare a.tif b.tif --tolerance 1e-6",
          .arguments = {{.name = "A", .help = "an image file"},
                        {.name = "B", .help = "another of the same shape"}},
          .options = entries_of(options, input_options),
          .run = run};
}

}  // namespace meander::app
