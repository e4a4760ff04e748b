// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "session.hpp"

namespace meander::app {
namespace {

struct PhantomVerbOptions : PhantomOptions {
  std::string truth;

  template <class Visitor>
  void describe(Visitor& v) {
    PhantomOptions::describe(v);
    v(truth, {.name = "truth",
              .help = "also write the exact truth: a mask image, or outlines as .geojson or .csv"});
  }
};

PhantomVerbOptions options;

bool is_outline_file(const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  return suffix == ".geojson" || suffix == ".csv";
}

void write_outlines(Session& session, const Phantom& phantom) {
  const auto outlines = phantom.outlines();
  const bool csv = options.truth.ends_with(".csv");
  io::write_text(options.truth, csv ? outlines_as_csv(outlines) : outlines_as_geojson(outlines));
  session.report().add_output(options.truth);
  session.report().result()["outlines"] = outlines.size();
}

/// Generates with `make(begin, end, control)` and writes slab by slab, as [from, to] of the
/// progress.
template <class Make>
void write_slabs(Session& session, const std::string& path, const Description& description,
                 Make make, double from, double to) {
  io::Writer writer(path, description);
  const std::int64_t length = io::slab_length(description.shape);
  Report& report = session.report();
  for_each_slab(
      length, slab_steps(length, padded_bytes(slab_step(description))),
      [&](std::int64_t begin, std::int64_t end) {
        const auto at = [&](std::int64_t step) {
          return from + (to - from) * static_cast<double>(step) / static_cast<double>(length);
        };
        const Image slab = report.timed(
            "compute", [&] { return make(begin, end, session.control(at(begin), at(end))); });
        report.timed("write", [&] { writer.append(slab, session.control(at(end), at(end))); });
      });
  report.timed("write", [&] { writer.finish(); });
  report.add_output(path, description);
}

void say_plan(Session& session, const Phantom& phantom) {
  const PhantomLevels& levels = phantom.levels();
  session.report().result() = {{"background", levels.background},
                               {"target", levels.target},
                               {"sigma_background", levels.sigma_background},
                               {"sigma_target", levels.sigma_target}};
  session.say(fmt::format(
      "{} {} {}: background {:g}, target {:g}, sigma {:g} outside and {:g} inside",
      OptionText<PhantomKind>::format(options.kind), to_string(options.size), name_of(options.type),
      levels.background, levels.target, levels.sigma_background, levels.sigma_target));
}

int run(Session& session) {
  options.kind = OptionText<PhantomKind>::parse(session.argument(0));
  const Phantom phantom(options);
  const bool mask_wanted = !options.truth.empty() && !is_outline_file(options.truth);
  if (is_outline_file(options.truth))
    phantom.outlines();  // refuses a shape without outlines before any work
  say_plan(session, phantom);
  if (session.common().dry_run) {
    io::Writer(session.argument(1), phantom.description());  // refuses a bad target; leaves nothing
    return done;
  }
  const double share = mask_wanted ? 0.8 : 1;
  write_slabs(
      session, session.argument(1), phantom.description(),
      [&](auto begin, auto end, const Control& control) {
        return phantom.slab(begin, end, control);
      },
      0, share);
  if (mask_wanted) {
    write_slabs(
        session, options.truth, phantom.truth_description(),
        [&](auto begin, auto end, const Control& control) {
          return phantom.truth_slab(begin, end, control);
        },
        share, 1);
  } else if (!options.truth.empty()) {
    write_outlines(session, phantom);
  }
  return done;
}

/// KIND comes as an argument, so it is no flag.
std::vector<OptionEntry> flags() {
  auto entries = entries_of(options);
  std::erase_if(entries, [](const OptionEntry& entry) { return entry.name == "kind"; });
  return entries;
}

std::vector<std::string> kinds() { return choices_of(static_cast<const PhantomKind*>(nullptr)); }

}  // namespace

Verb phantom_verb() {
  return {.name = "phantom",
          .summary = "Makes a synthetic image whose truth is known exactly",
          .details =
              "The same options give the same bytes on every machine. --snr is the contrast of the "
              "means over the "
              "background's sigma; u16 images have background 20000 and sigma 3000 unless --levels "
              "says otherwise.",
          .example =
              "meander phantom star s.tif --size 2048x2048 --noise gaussian --snr 1 --seed 7 "
              "--truth t.png",
          .arguments = {{.name = "KIND", .help = "what the image shows", .choices = kinds()},
                        {.name = "OUT", .help = "its suffix chooses the format"}},
          .options = flags(),
          .run = run};
}

}  // namespace meander::app
