// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <optional>

#include "file_names.hpp"
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
  return suffix_of(path) == ".geojson" || suffix_of(path) == ".csv";
}

std::string outline_text(Session& session, const Phantom& phantom) {
  const auto outlines = phantom.outlines();
  session.report().result()["outlines"] = outlines.size();
  return suffix_of(options.truth) == ".csv" ? outlines_as_csv(outlines)
                                            : outlines_as_geojson(outlines);
}

/// Image and mask are made together and finished together: both appear, or neither.
class Outputs {
 public:
  Outputs(Session& session, const Phantom& phantom)
      : session_(session), phantom_(phantom), image_(session.open_out(phantom.description())) {
    if (!options.truth.empty() && is_same_file(session.argument(1), options.truth)) {
      throw InvalidArgument("--truth: names the same file as OUT");
    }
    if (!options.truth.empty() && !is_outline_file(options.truth)) {
      mask_.emplace(session.create_beside(options.truth, phantom.truth_description()));
    }
  }

  /// Bytes that one step of a slab holds.
  std::int64_t step_bytes() const {
    const std::int64_t mask = mask_ ? padded_bytes(slab_step(phantom_.truth_description())) : 0;
    return padded_bytes(slab_step(phantom_.description())) + mask;
  }

  void add_slab(std::int64_t begin, std::int64_t end, const Control& control) {
    Report& report = session_.report();
    const Image slab = report.timed("compute", [&] { return phantom_.slab(begin, end, control); });
    report.timed("write", [&] { image_.append(slab, control); });
    if (!mask_) return;
    const Image truth =
        report.timed("compute", [&] { return phantom_.truth_slab(begin, end, control); });
    report.timed("write", [&] { mask_->append(truth, control); });
  }

  void finish() {
    session_.report().timed("write", [&] {
      if (mask_) mask_->finish();
      if (is_outline_file(options.truth))
        io::write_text(options.truth, outline_text(session_, phantom_));
      session_.finish_out();
    });
  }

 private:
  Session& session_;
  const Phantom& phantom_;
  io::Writer& image_;
  std::optional<io::Writer> mask_;
};

void report_plan(Session& session, const Phantom& phantom) {
  const PhantomLevels& levels = phantom.levels();
  session.report().result() = {{"background", levels.background},
                               {"target", levels.target},
                               {"sigma_background", levels.sigma_background},
                               {"sigma_target", levels.sigma_target}};
  session.report().set_option("kind", session.argument(0));
  session.report().add_output(session.argument(1), phantom.description());
  if (is_outline_file(options.truth)) {
    session.report().add_output(options.truth);
  } else if (!options.truth.empty()) {
    session.report().add_output(options.truth, phantom.truth_description());
  }
}

std::string words(const PhantomLevels& levels) {
  return fmt::format("{} {} {}: background {:g}, target {:g}, sigma {:g} outside and {:g} inside",
                     OptionText<PhantomKind>::format(options.kind), to_string(options.size),
                     name_of(options.type), levels.background, levels.target,
                     levels.sigma_background, levels.sigma_target);
}

int run(Session& session) {
  options.kind = OptionText<PhantomKind>::parse(session.argument(0));
  const Phantom phantom(options);
  if (is_outline_file(options.truth)) phantom.outlines();  // refuses a shape that has none
  Outputs outputs(session, phantom);
  report_plan(session, phantom);
  const SlabPlan plan = plan_slabs(phantom.description().shape, outputs.step_bytes());
  session.report_plan(plan);
  if (session.common().dry_run) {
    session.say(words(phantom.levels()));
    return done;
  }
  for_each_slab(session, plan, [&](std::int64_t begin, std::int64_t end, const Control& control) {
    outputs.add_slab(begin, end, control);
  });
  outputs.finish();
  session.say(words(phantom.levels()));
  return done;
}

/// KIND comes as an argument, so it is no flag.
std::vector<OptionEntry> flags() {
  auto entries = entries_of(options, output_options);
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
          .showing = Showing::values,
          .other_outputs = {"truth"},
          .run = run};
}

}  // namespace meander::app
