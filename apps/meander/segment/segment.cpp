// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "segment/segment.hpp"

#include <fmt/format.h>

#include <utility>

#include "input/input_image.hpp"
#include "meander/convert.hpp"
#include "meander/evolution.hpp"
#include "meander/outline_file.hpp"
#include "segment/outline_output.hpp"
#include "segment/outputs.hpp"
#include "segment/propagate.hpp"
#include "session/timed_compute.hpp"

namespace meander::app {
namespace {

std::size_t holes_of(const std::vector<Region>& regions) {
  std::size_t holes = 0;
  for (const Region& region : regions) holes += region.holes.size();
  return holes;
}

/// One run of the verb.
class SegmentWork {
 public:
  SegmentWork(Session& session, const SegmentVerbOptions& given, SegmentFiles& files,
              SegmentOutputs& outputs)
      : session_(session), options_(given), files_(files), outputs_(outputs) {}

  void run();

 private:
  void read();
  void read_starts(const Control& stop);
  void read_start_mask(const Control& stop);
  [[noreturn]] void refuse_evolution() const;
  void read_field(const Control& stop);
  void observe();
  void compute();
  void report();
  void refuse_unsettled() const;

  Session& session_;
  const SegmentVerbOptions& options_;
  SegmentFiles& files_;
  SegmentOutputs& outputs_;
  Image image_;
  FindInputs inputs_;
  EvolutionRecorder evolution_;
  FindResult found_;
};

void SegmentWork::read_starts(const Control& stop) {
  std::vector<Region>& regions = inputs_.regions.starts;
  regions = files_.regions;
  inputs_.regions.has_shapes = has_shapes(options_.init);
  inputs_.are_rough = !inputs_.regions.has_shapes;
  inputs_.curves = files_.starts;
  if (options_.init.kind != SegmentStart::Kind::file) return;
  if (files_.start_mask) read_start_mask(stop);
  if (options_.find.uses_region()) {
    run_named(options_.init.file, [&] {
      check_starts(regions, files_.image.shape, files_.place.part(files_.image.shape), stop);
    });
  }
  const bool is_one = regions.size() <= 1 && holes_of(regions) == 0;
  if (outputs_.needs_evolution() && !is_one) refuse_evolution();
}

void SegmentWork::read_start_mask(const Control& stop) {
  const Image mask = session_.report().timed(
      "read", [&] { return grey_of(files_.start_mask->read(stop), options_.init.file); });
  std::vector<Region> regions = starts_in(options_.init.file, mask, stop);
  if (options_.find.uses_region()) {
    inputs_.regions.starts = std::move(regions);
  } else {
    inputs_.curves = curves_around(regions, options_.find.edge.snake.point_spacing);
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
      options_.init.file, inputs_.regions.starts.size(), holes_of(inputs_.regions.starts)));
}

void SegmentWork::read_field(const Control& stop) {
  if (!files_.field) return;
  const Image given = session_.device().upload(files_.field->read(stop));
  inputs_.field =
      Field(given.type() == PixelType::f32 ? given : convert(given, {.type = PixelType::f32}));
}

void SegmentWork::read() {
  Report& report = session_.report();
  const Control stop{.stop = session_.control().stop};
  read_starts(stop);
  if (files_.mask) {
    const Image mask =
        report.timed("read", [&] { return first_channels(files_.mask->read(stop), 1); });
    inputs_.regions.mask = bounds_in(options_.mask, mask);
  }
  if (files_.truth) check_truth(session_, options_.truth, *files_.truth);
  const Image host = report.timed("read", [&] {
    return grey_of(files_.input.read(stop), session_.argument(0), channel_advice(3));
  });
  report.timed("write", [&] { outputs_.look_at(host); });
  report.timed("read", [&] {
    image_ = session_.device().upload(host);
    read_field(stop);
  });
}

void SegmentWork::observe() {
  inputs_.keep_stages = outputs_.needs_stages();
  inputs_.on_region = [this, is_first = true](const SegmentResult& found) mutable {
    if (std::exchange(is_first, false)) {
      warn_of_cover(session_, covered_by(found), image_.shape());
    }
  };
  if (!outputs_.needs_evolution()) return;
  inputs_.on_change = [this](const SegmentState& state) { evolution_.add(state); };
  inputs_.on_state = [this](const SnakeState& state) { evolution_.add(state); };
}

void SegmentWork::compute() {
  observe();
  timed_compute(session_, options_.repeat, [&] {
    found_ = {};
    run_named(session_.argument(0), [&] {
      found_ = find_outlines(image_, options_.find, inputs_, session_.control(0.1, 0.9));
    });
  });
}

void SegmentWork::report() {
  const Spacing spacing = spacing_of_results(options_, files_.image.spacing);
  const FindResult found = files_.place.in_whole(found_);
  session_.report().result()["model"] = OptionText<SegmentModel>::format(options_.find.model);
  if (found.region) report_region_result(session_, found, spacing);
  if (found.edge) report_edge_result(session_, options_, *found.edge, spacing);
  if (files_.truth) {
    report_score(session_, score_of(session_, options_.truth, *files_.truth, objects_of(found_)));
  }
}

void SegmentWork::refuse_unsettled() const {
  if (!found_.edge) return;
  if (const auto fault = shortfall(options_, *found_.edge, unsettled_of(*found_.edge))) {
    throw NotConverged(session_.argument(0) + ": " + *fault);
  }
}

void SegmentWork::run() {
  read();
  compute();
  if (!options_.keep) refuse_unsettled();
  outputs_.check(found_);
  if (!outputs_.needs_stages()) image_ = Image();
  inputs_.field = Field();
  report();
  outputs_.write(found_, evolution_.frames(), image_);
  if (!found_.edge || unsettled_of(*found_.edge).empty()) return;
  session_.finish();  // The report tells of what was written; the error comes on top.
  refuse_unsettled();
}

int run(Session& session, const SegmentVerbOptions& options) {
  validate(options);
  check_segment_options(session, options);
  if (options.propagate) return run_propagate(session, options);
  SegmentFiles files(session, options);
  SegmentOutputs outputs(session, options, files.image, files.place);
  if (options.find.uses_region()) report_region_plan(session, options);
  if (options.find.uses_edges()) report_edge_plan(session, options);
  check_segment_memory(session, options, files);
  if (session.common().dry_run) return done;
  SegmentWork(session, options, files, outputs).run();
  return done;
}

}  // namespace

Verb segment_verb() {
  const auto options = std::make_shared<SegmentVerbOptions>();
  const auto shared = std::make_shared<Invocation>();
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
      .options = entries_of(*options, shared->device, shared->input, shared->output),
      .films = Films::each,
      .unknown_pages = UnknownPages::frames,
      .follows = "propagate",
      .of_following = {"from", "gap"},
      .showing = Showing::overlay,
      .other_outputs = {"overlay", "mask-out", "labels-out", "table", "evolution", "stages"},
      .check_out = [](const std::string& path) { out_kind_of(path); },
      .run = [options](Session& session) { return run(session, *options); },
      .invocation = shared};
}

}  // namespace meander::app
