// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "segment.hpp"

#include <fmt/format.h>

#include "evolution.hpp"
#include "input_image.hpp"
#include "segment_outputs.hpp"
#include "timed_compute.hpp"

namespace meander::app {
namespace {

SegmentVerbOptions options;

/// One run of the verb.
class SegmentWork {
 public:
  SegmentWork(Session& session, SegmentFiles& files, SegmentOutputs& outputs)
      : session_(session), files_(files), outputs_(outputs) {}

  void run();

 private:
  void read();
  void compute();

  Session& session_;
  SegmentFiles& files_;
  SegmentOutputs& outputs_;
  Image image_;
  SegmentInputs inputs_;
  Evolution evolution_;
  SegmentResult result_;
};

void SegmentWork::read() {
  Report& report = session_.report();
  const Control stop{.stop = session_.control().stop};
  inputs_.start = files_.start;
  if (files_.start_mask) {
    const Image mask =
        report.timed("read", [&] { return first_channels(files_.start_mask->read(stop), 1); });
    inputs_.start = run_named(options.init.file, [&] { return outline_of_mask(mask, stop); });
  }
  if (options.init.kind == SegmentStart::Kind::file) {
    run_named(options.init.file,
              [&] { check_start(session_, *inputs_.start, files_.image.shape); });
  }
  const Image host =
      report.timed("read", [&] { return first_channels(files_.input.read(stop), 1); });
  report.timed("write", [&] { outputs_.look_at(host); });
  image_ = report.timed("read", [&] { return session_.device().upload(host); });
}

void SegmentWork::compute() {
  if (outputs_.needs_evolution()) {
    inputs_.on_change = [this](const SegmentState& state) { evolution_.add(state.outline); };
  }
  const Control control = session_.control(0.1, 0.9);
  timed_compute(session_, options.repeat, [&] {
    result_ = {};
    result_ =
        run_named(session_.argument(0), [&] { return segment(image_, options, inputs_, control); });
  });
}

void SegmentWork::run() {
  read();
  compute();
  image_ = Image();
  std::optional<double> iou;
  if (files_.truth) iou = overlap_with(session_, *files_.truth, polygons_of(result_));
  report_segment_result(session_, result_, files_.image.spacing, iou);
  outputs_.write(result_, evolution_.frames());
}

/// What would do nothing is refused.
void check_options(const Session& session) {
  const bool may_be_gamma =
      options.noise == NoiseModel::gamma || options.noise == NoiseModel::automatic;
  if (options.looks && !may_be_gamma) {
    throw InvalidArgument("--looks goes with noise gamma, expected that or no --looks");
  }
  if (session.given("max-step") && options.schedule != SegmentSchedule::classic) {
    throw InvalidArgument("--max-step goes with schedule classic, expected that or no --max-step");
  }
  if (options.repeat && !options.evolution.empty()) {
    throw InvalidArgument("--repeat times one computation, expected no --evolution beside it");
  }
}

int run(Session& session) {
  validate(options);
  check_options(session);
  SegmentFiles files(session, options);
  SegmentOutputs outputs(session, options, files.image);
  report_segment_plan(session, options);
  check_segment_memory(session, options, files);
  if (session.common().dry_run) return done;
  SegmentWork(session, files, outputs).run();
  return done;
}

}  // namespace

std::vector<Polygon> polygons_of(const SegmentResult& result) {
  std::vector<Polygon> polygons;
  for (const Outline& outline : result.outlines) polygons.push_back(outline.polygon);
  return polygons;
}

Verb segment_verb() {
  return {
      .name = "segment",
      .summary = "Finds the outline that divides an image into two regions of different noise",
      .details =
          "A region snake by generalised likelihood: the simple polygon under which the pixels "
          "inside and outside are likeliest, with a node only where it is worth its description. "
          "No threshold and no smoothing, and the outline is the same on every device. "
          "Coordinates are those of pixel centres, y down the rows, in the unit of the image's "
          "spacing where it has one (--units pixel: always pixels). The confidence of a node is "
          "by how much the criterion rises when it moves by a pixel along its normal. Without "
          "--init an image that is one region gives a file without outlines and exit code 0.",
      .example = "meander segment cells.tif cells.geojson --overlay cells.png",
      .arguments = {{.name = "IN", .help = "a 2-D image of one channel"},
                    {.name = "OUT",
                     .help = "outlines as .geojson, .json, .svg or .csv; any suffix of an image "
                             "gives a mask, 255 inside"}},
      .options = entries_of(options, device_options, input_options),
      .run = run};
}

}  // namespace meander::app
