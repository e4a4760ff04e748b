// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <optional>

#include "meander/phantom.hpp"
#include "session/session.hpp"
#include "system/file_names.hpp"

namespace meander::app {
namespace {

struct PhantomVerbOptions {
  PhantomOptions phantom;
  std::string truth;
  std::string labels;

  template <class Visitor>
  void describe(Visitor& v) {
    phantom.describe(v);
    v(truth,
      {.name = "truth",
       .help = "also write the exact truth: a mask image, outlines as .geojson or .csv, of a film "
               "the place of every object in every frame as .csv"});
    v(labels,
      {.name = "labels",
       .help = "also write the exact label of every pixel, an image of type u16: objects of "
               "blobs, rings and film are numbered from 1 on"});
  }
};

bool is_text_file(const std::string& path) {
  return suffix_of(path) == ".geojson" || suffix_of(path) == ".csv";
}

/// Throws where the kind has no such truth.
std::string truth_text(Session& session, const PhantomVerbOptions& options,
                       const Phantom& phantom) {
  const bool as_csv = suffix_of(options.truth) == ".csv";
  const Control stop{.stop = session.control().stop};
  if (options.phantom.kind == PhantomKind::film && as_csv)
    return tracks_as_csv(phantom.tracks(), stop);
  if (options.phantom.kind == PhantomKind::rings && !as_csv && options.phantom.size.rank() == 2) {
    return regions_as_geojson(phantom.regions(), stop);
  }
  const auto outlines = phantom.outlines();
  session.report().result()["outlines"] = outlines.size();
  return as_csv ? outlines_as_csv(outlines, stop) : outlines_as_geojson(outlines, stop);
}

/// Frames in a file that has an axis of time, slices in one that has none.
bool holds_frames(PhantomKind kind, const std::string& path) {
  const auto format = format_of(path);
  return kind == PhantomKind::film && format && format->films;
}

io::Film film_in(const PhantomOptions& options, const std::string& path) {
  return holds_frames(options.kind, path) ? io::Film{.frames = options.size.z} : io::Film{};
}

Description description_in(PhantomKind kind, const std::string& path, Description description) {
  if (holds_frames(kind, path)) description.shape.z = 1;
  return description;
}

void refuse_same_file(const char* option, const std::string& path, const std::string& other,
                      const char* other_name) {
  if (path.empty() || other.empty() || !is_same_file(path, other)) return;
  throw InvalidArgument(fmt::format("--{}: names the same file as {}", option, other_name));
}

/// Image, mask and labels are made together and finished together: all appear, or none.
class Outputs {
 public:
  Outputs(Session& session, const PhantomVerbOptions& options, const Phantom& phantom)
      : session_(session),
        options_(options),
        phantom_(phantom),
        image_(session.open_out(
            description_in(options.phantom.kind, session.argument(1), phantom.description()),
            film_in(options.phantom, session.argument(1)))) {
    refuse_same_file("truth", options.truth, session.argument(1), "OUT");
    refuse_same_file("labels", options.labels, session.argument(1), "OUT");
    refuse_same_file("labels", options.labels, options.truth, "--truth");
    if (!options.truth.empty() && !is_text_file(options.truth)) {
      mask_.emplace(create(options.truth, phantom.truth_description()));
    }
    if (!options.labels.empty()) {
      labels_.emplace(create(options.labels, phantom.labels_description()));
    }
  }

  /// Bytes that one step of a slab holds.
  std::int64_t step_bytes() const {
    std::int64_t bytes = padded_bytes(slab_step(phantom_.description()));
    if (mask_) bytes += padded_bytes(slab_step(phantom_.truth_description()));
    if (labels_) bytes += padded_bytes(slab_step(phantom_.labels_description()));
    return bytes;
  }

  void add_slab(std::int64_t begin, std::int64_t end, const Control& control) {
    add(session_.argument(1), image_, control, [&] { return phantom_.slab(begin, end, control); });
    if (mask_)
      add(options_.truth, *mask_, control,
          [&] { return phantom_.truth_slab(begin, end, control); });
    if (labels_)
      add(options_.labels, *labels_, control,
          [&] { return phantom_.labels_slab(begin, end, control); });
  }

  void finish() {
    session_.report().timed("write", [&] {
      if (mask_) mask_->finish();
      if (labels_) labels_->finish();
      if (is_text_file(options_.truth))
        io::write_text(options_.truth, truth_text(session_, options_, phantom_));
      session_.finish_out();
    });
  }

 private:
  io::Writer create(const std::string& path, const Description& description) {
    return session_.create_beside(path, description_in(options_.phantom.kind, path, description),
                                  film_in(options_.phantom, path));
  }

  template <class Make>
  void add(const std::string& path, io::Writer& writer, const Control& control, Make make) {
    Report& report = session_.report();
    const Image slab = report.timed("compute", make);
    report.timed("write", [&] { append(path, writer, slab, control); });
  }

  void append(const std::string& path, io::Writer& writer, const Image& slab,
              const Control& control) {
    if (!holds_frames(options_.phantom.kind, path)) return writer.append(slab, control);
    for (std::int64_t frame = 0; frame < slab.shape().z; ++frame) {
      writer.append(slab.slices(frame, frame + 1), control);
    }
  }

  Session& session_;
  const PhantomVerbOptions& options_;
  const Phantom& phantom_;
  io::Writer& image_;
  std::optional<io::Writer> mask_, labels_;
};

void report_output(Session& session, const PhantomOptions& options, const std::string& path,
                   const Description& description) {
  session.report().add_output(path, description_in(options.kind, path, description),
                              film_in(options, path));
}

void report_plan(Session& session, const PhantomVerbOptions& options, const Phantom& phantom) {
  const PhantomLevels& levels = phantom.levels();
  session.report().result() = {{"background", levels.background},
                               {"target", levels.target},
                               {"sigma_background", levels.sigma_background},
                               {"sigma_target", levels.sigma_target}};
  session.report().set_option("kind", session.argument(0));
  if (phantom.object_count() > 0) session.report().result()["objects"] = phantom.object_count();
  report_output(session, options.phantom, session.argument(1), phantom.description());
  if (is_text_file(options.truth)) {
    session.report().add_output(options.truth);
  } else if (!options.truth.empty()) {
    report_output(session, options.phantom, options.truth, phantom.truth_description());
  }
  if (!options.labels.empty()) {
    report_output(session, options.phantom, options.labels, phantom.labels_description());
  }
}

std::string words(const PhantomOptions& options, const PhantomLevels& levels) {
  return fmt::format("{} {} {}: background {:g}, target {:g}, sigma {:g} outside and {:g} inside",
                     OptionText<PhantomKind>::format(options.kind), to_string(options.size),
                     name_of(options.type), levels.background, levels.target,
                     levels.sigma_background, levels.sigma_target);
}

/// Before anything is made.
void refuse_other_truths(Session& session, const PhantomVerbOptions& options,
                         const Phantom& phantom) {
  if (is_text_file(options.truth)) truth_text(session, options, phantom);
  if (options.labels.empty()) return;
  if (phantom.object_count() == 0) {
    throw InvalidArgument(fmt::format("--labels: {} has no objects, expected blobs, rings or film",
                                      session.argument(0)));
  }
  phantom.labels_description();
}

int run(Session& session, PhantomVerbOptions& options) {
  options.phantom.kind = OptionText<PhantomKind>::parse(session.argument(0));
  const Phantom phantom(options.phantom);
  refuse_other_truths(session, options, phantom);
  Outputs outputs(session, options, phantom);
  report_plan(session, options, phantom);
  const SlabPlan plan = plan_slabs(phantom.description().shape, outputs.step_bytes());
  session.report_plan(plan);
  if (session.common().dry_run) {
    session.say(words(options.phantom, phantom.levels()));
    return done;
  }
  for_each_slab(session, plan, [&](std::int64_t begin, std::int64_t end, const Control& control) {
    outputs.add_slab(begin, end, control);
  });
  outputs.finish();
  session.say(words(options.phantom, phantom.levels()));
  return done;
}

/// KIND comes as an argument, so it is no flag.
std::vector<OptionEntry> flags(PhantomVerbOptions& options, OutputOptions& output) {
  auto entries = entries_of(options, output);
  std::erase_if(entries, [](const OptionEntry& entry) { return entry.name == "kind"; });
  return entries;
}

std::vector<std::string> kinds() { return choices_of(static_cast<const PhantomKind*>(nullptr)); }

}  // namespace

Verb phantom_verb() {
  const auto options = std::make_shared<PhantomVerbOptions>();
  const auto shared = std::make_shared<Invocation>();
  return {
      .name = "phantom",
      .summary = "Makes a synthetic image whose truth is known exactly",
      .details =
          "The same options give the same bytes on every machine. --snr is the contrast of the "
          "means over the "
          "background's sigma; u16 images have background 20000 and sigma 3000 unless --levels "
          "says otherwise, and with --shading they hold in the middle of the image. The size of "
          "a film is that of a frame and the number of frames; formats with an axis of "
          "time hold them as frames, .npy as its first of five axes.",
      .example =
          "meander phantom star s.tif --size 2048x2048 --noise gaussian --snr 1 --seed 7 "
          "--truth t.png",
      .arguments = {{.name = "KIND", .help = "what the image shows", .choices = kinds()},
                    {.name = "OUT", .help = "its suffix chooses the format"}},
      .options = flags(*options, shared->output),
      .showing = Showing::values,
      .other_outputs = {"truth", "labels"},
      .run = [options](Session& session) { return run(session, *options); },
      .invocation = shared};
}

}  // namespace meander::app
