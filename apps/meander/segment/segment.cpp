// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "segment/segment.hpp"

#include <fmt/format.h>

#include "input/input_image.hpp"
#include "meander/convert.hpp"
#include "meander/outline_file.hpp"
#include "segment/evolution.hpp"
#include "segment/outline_output.hpp"
#include "segment/outputs.hpp"
#include "segment/propagate.hpp"
#include "session/timed_compute.hpp"

namespace meander::app {
namespace {

SegmentVerbOptions options;

std::size_t holes_of(const std::vector<Region>& regions) {
  std::size_t holes = 0;
  for (const Region& region : regions) holes += region.holes.size();
  return holes;
}

/// One run of the verb.
class SegmentWork {
 public:
  SegmentWork(Session& session, SegmentFiles& files, SegmentOutputs& outputs)
      : session_(session), files_(files), outputs_(outputs) {}

  void run();

 private:
  void read();
  void read_starts(const Control& stop);
  void read_start_mask(const Control& stop);
  [[noreturn]] void refuse_evolution() const;
  void read_field(const Control& stop);
  void compute();
  void find_region(const Control& control);
  void count_left_out(const Control& control);
  void find_edges(const Control& control);
  void report();
  void refuse_unsettled() const;

  Session& session_;
  SegmentFiles& files_;
  SegmentOutputs& outputs_;
  Image image_;
  std::vector<Region> regions_;  ///< Where a region model begins.
  std::vector<Curve> starts_;    ///< Where model edge begins.
  Image mask_;                   ///< Where objects are looked for, if there is one.
  Field field_;
  Evolution evolution_;
  SegmentFindings found_;
};

void SegmentWork::read_starts(const Control& stop) {
  regions_ = files_.regions;
  starts_ = files_.starts;
  if (options.init.kind != SegmentStart::Kind::file) return;
  if (files_.start_mask) read_start_mask(stop);
  if (options.find.uses_region()) {
    run_named(options.init.file, [&] {
      check_starts(regions_, files_.image.shape, files_.place.part(files_.image.shape), stop);
    });
  }
  if (outputs_.needs_evolution() && are_objects(regions_)) refuse_evolution();
}

void SegmentWork::read_start_mask(const Control& stop) {
  const Image mask = session_.report().timed(
      "read", [&] { return grey_of(files_.start_mask->read(stop), options.init.file); });
  std::vector<Region> regions = starts_in(options.init.file, mask, stop);
  if (options.find.uses_region()) {
    regions_ = std::move(regions);
  } else {
    starts_ = curves_around(regions, options.find.edge.snake.point_spacing);
  }
}

double covered_by(const SegmentResult& found) {
  double covered = 0;
  for (const Outline& outline : found.outlines) covered += outline.polygon.signed_area();
  return covered;
}

void SegmentWork::refuse_evolution() const {
  throw InvalidArgument(fmt::format(
      "{}: --evolution shows one outline, found {} starts with {} holes, expected one without any",
      options.init.file, regions_.size(), holes_of(regions_)));
}

void SegmentWork::read_field(const Control& stop) {
  if (!files_.field) return;
  const Image given = session_.device().upload(files_.field->read(stop));
  field_ = Field(given.type() == PixelType::f32 ? given : convert(given, {.type = PixelType::f32}));
}

void SegmentWork::read() {
  Report& report = session_.report();
  const Control stop{.stop = session_.control().stop};
  read_starts(stop);
  if (files_.mask) {
    const Image mask =
        report.timed("read", [&] { return first_channels(files_.mask->read(stop), 1); });
    mask_ = bounds_in(options.mask, mask);
  }
  if (files_.truth) check_truth(session_, options.truth, *files_.truth);
  const Image host = report.timed("read", [&] {
    return grey_of(files_.input.read(stop), session_.argument(0), channel_advice(3));
  });
  report.timed("write", [&] { outputs_.look_at(host); });
  report.timed("read", [&] {
    image_ = session_.device().upload(host);
    read_field(stop);
  });
}

void SegmentWork::find_region(const Control& control) {
  const bool finds_objects = regions_.empty() && !outputs_.needs_evolution();
  // An evolution shows the search of one.
  const bool has_zone =
      (has_shapes(options.init) || options.is_bounded()) && !outputs_.needs_evolution();
  if (finds_objects || are_objects(regions_) || has_zone) {
    found_.region = segment_objects(
        image_, options.find.region,
        {.starts = regions_, .has_shapes = has_shapes(options.init), .mask = mask_}, control);
    warn_of_cover(session_, covered_by(*found_.region), image_.shape());
    if (found_.region->outlines.empty()) count_left_out(control);
    return;
  }
  SegmentInputs inputs;
  if (!regions_.empty()) inputs.start = regions_.front().outer;
  if (outputs_.needs_evolution()) {
    inputs.on_change = [this](const SegmentState& state) {
      evolution_.add({.step = state.iteration, .curves = {{.points = state.outline.vertices}}});
    };
  }
  found_.region = segment(image_, options.find.region.search, inputs, control);
  warn_of_cover(session_, covered_by(*found_.region), image_.shape());
}

/// Nobody is told that there is nothing where there was something else.
void SegmentWork::count_left_out(const Control& control) {
  if (!options.find.region.has_bounds() && !options.find.region.min_area && mask_.empty()) return;
  const Control quiet{.stop = control.stop, .progress = {}};
  const SegmentResult all = segment_objects(
      image_, options.find.region.unbounded(),
      {.starts = regions_, .has_shapes = has_shapes(options.init), .mask = {}}, quiet);
  for (const auto& bound :
       bounds_against(all.outlines, options.find.region, mask_, image_.shape())) {
    if (bound) ++found_.left_out[*bound];
  }
}

/// From the outlines of the regions where there are any, else from the given starts.
void SegmentWork::find_edges(const Control& control) {
  found_.edge.emplace();
  if (found_.region && found_.region->outlines.empty()) return;
  EdgeInputs inputs{.starts = starts_,
                    .are_rough = !found_.region && !has_shapes(options.init),
                    .field = field_,
                    .keep_stages = outputs_.needs_stages()};
  std::int64_t steps_before = 0;
  if (found_.region) {
    inputs.starts = curves_of({.region = found_.region});
    if (outputs_.needs_evolution()) steps_before = evolution_.frames().back().step;
  }
  found_.starts = inputs.starts;
  SnakeEvolution evolution(evolution_, inputs.starts, steps_before);
  if (outputs_.needs_starts()) {
    inputs.on_state = [&](const SnakeState& state) {
      if (state.steps == 0 && found_.starts.size() <= state.curve_index) {
        found_.starts.push_back(state.curve);
      }
      evolution.add(state);
    };
  }
  found_.edge = segment_edges(image_, options.find.edge, inputs, control);
  evolution.finish();
}

void SegmentWork::compute() {
  const double half = options.find.uses_region() && options.find.uses_edges() ? 0.5 : 0.1;
  timed_compute(session_, options.repeat, [&] {
    found_ = {};
    run_named(session_.argument(0), [&] {
      if (options.find.uses_region()) find_region(session_.control(0.1, 0.9));
      if (options.find.uses_edges()) find_edges(session_.control(half, 0.9));
    });
  });
}

void SegmentWork::report() {
  const Spacing spacing = spacing_of_results(options, files_.image.spacing);
  const SegmentFindings found = in_whole(found_, files_.place);
  session_.report().result()["model"] = OptionText<SegmentModel>::format(options.find.model);
  if (found.region) report_region_result(session_, found, spacing);
  if (found.edge) report_edge_result(session_, options, *found.edge, spacing);
  if (files_.truth) {
    report_score(session_, score_of(session_, options.truth, *files_.truth, objects_of(found_)));
  }
}

void SegmentWork::refuse_unsettled() const {
  if (!found_.edge) return;
  if (const auto fault = shortfall(options, *found_.edge)) {
    throw NotConverged(session_.argument(0) + ": " + *fault);
  }
}

void SegmentWork::run() {
  read();
  compute();
  if (!options.keep) refuse_unsettled();
  outputs_.check(found_);
  if (!outputs_.needs_stages()) image_ = Image();
  field_ = Field();
  report();
  outputs_.write(found_, evolution_.frames(), image_);
  if (!found_.edge || !shortfall(options, *found_.edge)) return;
  session_.finish();  // The report tells of what was written; the error comes on top.
  refuse_unsettled();
}

int run(Session& session) {
  validate(options);
  check_segment_options(session, options);
  if (options.propagate) return run_propagate(session, options);
  SegmentFiles files(session, options);
  SegmentOutputs outputs(session, options, files.image, files.place);
  if (options.find.uses_region()) report_region_plan(session, options);
  if (options.find.uses_edges()) report_edge_plan(session, options);
  check_segment_memory(session, options, files);
  if (session.common().dry_run) return done;
  SegmentWork(session, files, outputs).run();
  return done;
}

}  // namespace

Verb segment_verb() {
  return {
      .name = "segment",
      .summary = "Finds outlines: of regions of different noise, or along edges",
      .details =
          "Model region is a snake by generalised likelihood: the simple outline under which the "
          "pixels inside and outside are likeliest, with a node only where it is worth its "
          "description; no threshold is to be chosen. Model edge smooths, takes the edges above "
          "the noise, carries them through the image by gradient vector flow, and lets curves move "
          "in that field until they settle, into concavities too; curves that do not settle end "
          "with exit code 8, and nothing is written unless --keep is given. Model region+edge "
          "moves the region's outline onto edges. Outlines of regions are the same on every "
          "device. Objects are numbered from 1 on, and have that number in all files. Coordinates "
          "are those of pixel centres, y down the rows, in a unit of length that suits the "
          "size of a pixel where that is known (--units pixel: always pixels), as all areas and "
          "lengths are. The confidence of a "
          "node of a region is by how much the criterion rises when it moves by a pixel along its "
          "normal. Without --init an image that is one region gives a file without outlines and "
          "exit code 0. An evolution as .json holds the image's shape and spacing and up to 60 "
          "frames: its step and its curves, closed or not, with points in pixels. With "
          "--roi coordinates stay those of the whole image and masks have its size, 0 beside the "
          "part; pictures show the part. --propagate follows objects through the frames of a film, "
          "the slices of a volume or numbered files: OUT and --labels-out then hold all frames, "
          "--table has a line for each object of each frame, and an overlay is a .gif or numbered "
          "files.",
      .example = "meander segment cells.tif cells.geojson --overlay cells.png",
      .arguments = {{.name = "IN", .help = "a 2-D image of one channel, or RGB that is grey"},
                    {.name = "OUT",
                     .help =
                         "outlines as .geojson, .json, .svg or .csv, for ImageJ as .roi (one) or "
                         ".zip (any number); any suffix of an image gives a mask, 255 inside"}},
      .options = entries_of(options, device_options, input_options, output_options),
      .films = Films::each,
      .unknown_pages = UnknownPages::frames,
      .follows = "propagate",
      .of_following = {"from", "gap"},
      .showing = Showing::overlay,
      .other_outputs = {"overlay", "mask-out", "labels-out", "table", "evolution", "stages"},
      .check_out = [](const std::string& path) { out_kind_of(path); },
      .run = run};
}

}  // namespace meander::app
