// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "flow/flow.hpp"

#include <fmt/format.h>

#include "input/input_image.hpp"
#include "meander/convert.hpp"
#include "meander/picture.hpp"
#include "meander/statistics.hpp"
#include "session/timed_compute.hpp"
#include "system/file_names.hpp"

namespace meander::app {
namespace {

/// The slice that pictures show, copied to host memory, so that the rest need not be kept for them.
Image middle_slice(const Image& image, int channels, const Control& stop) {
  const std::int64_t middle = image.shape().z / 2;
  const Image slice = image.slices(middle, middle + 1).download(stop);
  return first_channels(slice.clone(stop).download(stop), channels);
}

Field middle_slice(const Field& field, const Control& stop) {
  return Field(middle_slice(field.components(), 2, stop));
}

/// One run of the verb.
class FlowWork {
 public:
  FlowWork(Session& session, const FlowVerbOptions& options, FlowFiles& files,
           const Description& output)
      : session_(session), options_(options), files_(files), output_(output) {}

  void run(io::Writer& writer);

 private:
  void read();
  void compute();
  void write(io::Writer& writer);
  Field gradient() const;
  FlowResult flow_of_input(const Control& control);
  Image as_output() const;
  bool has_failed() const {
    return options_.flow.solver == FlowSolver::multigrid && !result_.figures.converged;
  }

  Session& session_;
  const FlowVerbOptions& options_;
  FlowFiles& files_;
  const Description output_;
  Image image_;  ///< Or the components of the given field.
  FlowInputs inputs_;
  Image shown_;  ///< Of the picture: the image, and the vectors before.
  Field shown_before_;
  FlowResult result_;
};

void FlowWork::read() {
  session_.report().timed("read", [&] {
    const Device& device = session_.device();
    const Control stop{.stop = session_.control().stop};
    const Image image = files_.input.read(stop);
    image_ = device.upload(options_.field ? image
                                          : grey_of(image, session_.argument(0), flow_advice(3)));
    if (files_.mask) {
      inputs_.mask = device.upload(grey_of(files_.mask->read(stop), options_.mask));
    }
    if (files_.start) inputs_.start = Field(device.upload(files_.start->read(stop)));
  });
}

Field FlowWork::gradient() const {
  return options_.field ? Field(image_)
                        : flow_gradient(image_, options_.flow, {.stop = session_.control().stop});
}

FlowResult FlowWork::flow_of_input(const Control& control) {
  return options_.field ? flow(Field(image_), options_.flow, inputs_, control)
                        : flow(image_, options_.flow, inputs_, control);
}

void FlowWork::compute() {
  const std::string& file = session_.argument(0);
  if (!options_.picture.empty()) {
    const Control stop{.stop = session_.control().stop};
    shown_before_ = run_named(file, [&] { return middle_slice(gradient(), stop); });
    if (!options_.field) shown_ = middle_slice(image_, 1, stop);
  }
  inputs_.on_cycle = [this](const FlowCycle& cycle) { log_flow_cycle(session_, cycle); };
  const Control control = session_.control(0.1, 0.9);
  timed_compute(session_, options_.repeat, [&] {
    result_ = {};
    result_ = run_named(file, [&] { return flow_of_input(control); });
  });
  if (has_failed() && !options_.keep) {
    throw NotConverged(file + ": " + shortfall(options_, result_.figures));
  }
}

Image FlowWork::as_output() const {
  const Image made = options_.output == FlowOutput::magnitude ? magnitude_of(result_.field)
                     : options_.output == FlowOutput::unit
                         ? unit_vectors_of(result_.field).components()
                         : result_.field.components();
  session_.add_losses(losses_of(made, {.type = output_.type}, session_.argument(1)));
  return made.type() == output_.type ? made : convert(made, {.type = output_.type});
}

/// The picture first: where it cannot be written OUT is not left behind alone.
void FlowWork::write(io::Writer& writer) {
  session_.report().timed("write", [&] {
    writer.append(as_output().download(), session_.control(0.9, 1));
    if (!options_.picture.empty()) {
      const Control stop{.stop = session_.control().stop};
      const Field after = middle_slice(result_.field, stop);
      result_.field = Field();
      io::write(options_.picture, flow_picture(shown_, shown_before_, after, stop),
                session_.write_options(options_.picture));
      session_.report().add_output(options_.picture);
    }
    session_.finish_out();
  });
}

void FlowWork::run(io::Writer& writer) {
  read();
  if (!options_.field) {
    const Statistics range = statistics(image_);
    session_.report().result()["image_min"] = number(range.min);
    session_.report().result()["image_max"] = number(range.max);
  }
  compute();
  image_ = Image();
  inputs_ = {};
  report_flow_figures(session_, options_, result_.figures);
  write(writer);
  if (!has_failed()) return;
  session_.finish();  // The report tells of what was written; the error comes on top.
  throw NotConverged(session_.argument(0) + ": " + shortfall(options_, result_.figures));
}

/// A picture that cannot be written is refused before the work.
void check_picture_target(const Session& session, const FlowVerbOptions& options) {
  if (options.picture.empty()) return;
  if (is_same_file(options.picture, session.argument(1))) {
    throw Unsupported(options.picture + ": expected a picture of its own, as flow.png");
  }
  const io::Writer trial(options.picture, {.channels = 3, .type = PixelType::u8});
}

/// What only multigrid reads would do nothing for the others.
void check_options_of_solver(const Session& session, const FlowVerbOptions& options) {
  if (options.flow.solver == FlowSolver::multigrid) return;
  for (const char* name : {"max-cycles", "keep"}) {
    if (!session.given(name)) continue;
    throw InvalidArgument(
        fmt::format("--{} goes with solver multigrid, expected that or no --{}", name, name));
  }
}

int run(Session& session, const FlowVerbOptions& options) {
  validate(options);
  const std::string& out = session.argument(1);
  FlowFiles files(session, options);
  const Description output = flow_output(options, out, flow_field(options, files.image));
  check_options_of_solver(session, options);
  check_picture_target(session, options);
  session.report().add_output(out, output);
  session.report().set_option("type", name_of(output.type));
  report_flow_plan(session, options, files.image);
  check_flow_memory(session, options, files, output);
  // Refuses a bad target; leaves nothing until it is finished.
  io::Writer& writer = session.open_out(output);
  if (session.common().dry_run) return done;
  FlowWork(session, options, files, output).run(writer);
  return done;
}

}  // namespace

Verb flow_verb() {
  const auto options = std::make_shared<FlowVerbOptions>();
  const auto shared = std::make_shared<Invocation>();
  return {
      .name = "flow",
      .summary =
          "Carries the gradients of an image to where there are none: gradient vector "
          "flow",
      .details =
          "The gradient is that of the image scaled to 0 to 1 by its least and largest value; "
          "the spacing counts by its ratios. The field has a channel for each axis and comes "
          "out as f32 (f64 with --precision double and for f64 images) unless --type says "
          "otherwise; its numbers are small fractions with signs, so pictures cannot hold it: "
          "--picture makes one to look at. Multigrid solves to the tolerance, or ends with "
          "exit code 8 and writes nothing unless --keep is given; explicit and fed take "
          "their steps and stop. Beyond the memory budget the need is named and the cheaper "
          "storage that would fit.",
      .example = "meander flow cells.tif field.npy --mu 0.1 --picture flow.png",
      .arguments = {{.name = "IN",
                     .help =
                         "an image of one channel or RGB that is grey, or a field with --field"},
                    {.name = "OUT", .help = "its suffix chooses the format"}},
      .options =
          entries_of(*options, shared->device, shared->input, shared->output, shared->in_place),
      .films = Films::each,
      .unknown_pages = UnknownPages::asked,
      .showing = Showing::field,
      .other_outputs = {"picture"},
      .run = [options](Session& session) { return run(session, *options); },
      .invocation = shared};
}

}  // namespace meander::app
