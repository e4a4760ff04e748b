// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "input/input_image.hpp"
#include "meander/compare.hpp"

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

/// One of the two, by its name on the command line.
struct Side {
  const std::string& path;
  io::Reader& reader;
  Description image = reader.description();

  /// RGB beside one channel is the grey that it is.
  void match(const Side& other) {
    if (reader.description().channels == 3 && other.reader.description().channels == 1) {
      image.channels = 1;
    }
  }
  Image slab(std::int64_t begin, std::int64_t end, const Control& control) const {
    const Image all = reader.slab(begin, end, control);
    return image.channels == all.channels() ? all : grey_of(all, path, channel_advice(3));
  }
};

/// Throws what does not match.
Comparer comparer_of(const Side& a, const Side& b, double tolerance) {
  const Side& more = a.image.channels > b.image.channels ? a : b;
  if (a.image.shape == b.image.shape && a.image.channels != b.image.channels) {
    throw InvalidArgument(fmt::format("{}: found {} channels and {} in {}, expected as many{}",
                                      a.path, a.image.channels, b.image.channels, b.path,
                                      channel_advice(more.image.channels)));
  }
  return {a.image, b.image, tolerance};
}

Comparison compare_files(Session& session, const Side& a, const Side& b, double tolerance,
                         const SlabPlan& plan) {
  Comparer comparer = comparer_of(a, b, tolerance);
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

void say(const Session& session, const Comparison& found, double tolerance) {
  session.say(fmt::format("max {:g}, rms {:g}, psnr {:g} dB{}", found.max, found.rms, found.psnr,
                          found.iou ? fmt::format(", iou {:.6g}", *found.iou) : ""));
  if (found.first) {
    session.say(fmt::format(
        "{} numbers differ by more than {:g}, first at x {}, y {}, z {}, channel {}: {:g} and {:g}",
        found.different, tolerance, found.first->x, found.first->y, found.first->z,
        found.first->channel, found.first->a, found.first->b));
  }
}

/// A file of one channel or one frame is compared with the one that was chosen of the other.
io::Reader open_other(const Session& session, const io::Reader& a, const std::string& path) {
  io::ReadOptions whole = session.read_options();
  whole.frame.reset();
  whole.channel.reset();
  io::Reader b = open_like(a, path, whole);
  if (session.read_options().channel && b.whole_channels() > 1) {
    whole.channel = session.read_options().channel;
    b = open_like(a, path, whole);
  }
  session.log_print_density(path, b);
  follow_frame(b, path, a, session);
  return b;
}

/// Pixels are compared wherever they lie; that they lie elsewhere is worth a line.
void report_places(Session& session, const Description& a, const Description& b) {
  constexpr double tolerance = 1e-3;  // of a pixel: what float32 in files may round
  const bool same_spacing = has_same_spacing(a, b);
  const auto apart = displacement(a, b);
  Json& result = session.report().result();
  result["same_spacing"] = same_spacing;
  result["displacement_pixels"] = apart ? number(*apart) : Json(nullptr);
  if (!same_spacing) session.say("their pixels differ in size");
  if (apart && *apart > tolerance) {
    session.say(fmt::format("they lie {:.6g} pixels apart in the world", *apart));
  }
  if (a.placement.has_value() != b.placement.has_value()) {
    session.say("only one of them says where it lies in the world");
  }
}

int run(Session& session, const CompareOptions& options) {
  validate(options);
  io::Reader& a = session.open_input(session.read_options());
  io::Reader b = open_other(session, a, session.argument(1));
  session.report().add_input(session.argument(0), a.description(), a.film());
  session.report().add_input(session.argument(1), b.description(), b.film());
  Side left{session.argument(0), a}, right{session.argument(1), b};
  left.match(right);
  right.match(left);
  const SlabPlan plan =
      plan_slabs(a.description().shape, padded_bytes(slab_step(a.description())) +
                                            padded_bytes(slab_step(b.description())));
  if (session.common().dry_run) {
    comparer_of(left, right, options.tolerance);  // refuses what does not match
    session.say(fmt::format("would compare {} numbers", a.description().numbers()));
    session.report_plan(plan);
    return done;
  }
  const Comparison found = compare_files(session, left, right, options.tolerance, plan);
  session.report().result() = json_of(found);
  say(session, found, options.tolerance);
  report_places(session, a.description(), b.description());
  return found.first ? not_met : done;
}

}  // namespace

Verb compare_verb() {
  const auto options = std::make_shared<CompareOptions>();
  const auto shared = std::make_shared<Invocation>();
  return {.name = "compare",
          .summary = "Compares two images: max, RMS, PSNR, IoU of masks, first difference",
          .details =
              "Exit code 0 when no two numbers differ by more than the tolerance, 8 when some do. "
              "Pixel types may "
              "differ, shapes may not; RGB whose channels are equal is grey beside an image of "
              "one. NaN equals NaN. IoU is given when each holds no values but "
              "0 and one above it. Another spacing or place in the world is told and changes "
              "nothing. Of films --frame must choose; B may be a single image.",
          .example = "meander compare a.tif b.tif --tolerance 1e-6",
          .arguments = {{.name = "A", .help = "an image file"},
                        {.name = "B", .help = "another of the same shape"}},
          .options = entries_of(*options, shared->input),
          .films = Films::each,
          .unknown_pages = UnknownPages::asked,
          .run = [options](Session& session) { return run(session, *options); },
          .invocation = shared};
}

}  // namespace meander::app
