// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "session/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "session/auto_device.hpp"
#include "session/output_checks.hpp"
#include "system/file_names.hpp"

namespace meander::app {

Session::Session(const Verb& verb, const CommonOptions& common,
                 const std::vector<OptionEntry>& common_entries, std::stop_token stop,
                 const FrameRun* part)
    : verb_(verb),
      common_(common),
      stop_(std::move(stop)),
      part_(part),
      bar_(!common.quiet && isatty(STDERR_FILENO) != 0),
      report_(verb.name) {
  set_threads(static_cast<int>(common.threads));
  if (common.memory) Device::open("cpu").set_memory_budget(common.memory->value);
  report_.set_options(verb.options);
  report_.set_options(common_entries);
}

bool Session::given(const std::string& option) const {
  return std::any_of(verb_.options.begin(), verb_.options.end(),
                     [&](const OptionEntry& entry) { return entry.given && entry.name == option; });
}

io::ReadOptions options_to_read(const Verb& verb) {
  const InputOptions& input_options = verb.invocation->input;
  if (input_options.channel && input_options.grey) {
    throw InvalidArgument("found --channel and --grey, expected one of them");
  }
  io::ReadOptions options{.channels_last = input_options.channels,
                          .roi = input_options.roi,
                          .grey = input_options.grey,
                          .spacing = input_options.spacing};
  if (input_options.channel) options.channel = static_cast<int>(*input_options.channel);
  if (input_options.frame) options.frame = input_options.frame->first;
  options.pages = input_options.pages;
  const bool takes_frames = verb.unknown_pages == UnknownPages::frames || input_options.frame;
  if (takes_frames && !input_options.slice) options.unknown_pages = io::Pages::frames;
  if (input_options.slice) {
    options.slice = {input_options.axis.value_or(io::Slice::Across::z), input_options.slice->first};
  }
  return options;
}

io::ReadOptions Session::read_options() const {
  io::ReadOptions options = options_to_read(verb_);
  if (part_ == nullptr) return options;
  if (part_->is_slice) {
    options.slice->index = part_->frame;
  } else {
    options.frame = part_->frame;
  }
  return options;
}

void Session::log_print_density(const std::string& path, const io::Reader& reader) const {
  if (reader.print_density().empty() || invocation().input.spacing) return;
  log(fmt::format("{}: {} are for printers, not a size of pixels: ignored; --spacing sets it", path,
                  reader.print_density()));
}

io::Reader& Session::open_input(const io::ReadOptions& options) {
  std::optional<io::Reader>& input = part_ == nullptr ? input_ : *part_->input;
  if (!input) {
    input.emplace(argument(0), options);
    log_print_density(argument(0), *input);
    return *input;
  }
  if (options.frame) input->select_frame(*options.frame);
  if (options.slice) input->select_slice(options.slice->index);
  return *input;
}

io::WriteOptions Session::write_options(const std::string& path) const {
  return app::write_options(verb_, path);
}

io::Writer& Session::open_out(const Description& description, const io::Film& film,
                              bool pages_unknown) {
  OutImage& out = joins_film() ? *part_->film : out_;
  if (out.writer) return *out.writer;
  const std::string& path = argument(1);
  check_type(path, description.type);
  io::WriteOptions options = write_options(path);
  options.film = joins_film() ? out.film : film;
  options.pages_unknown = pages_unknown;
  Description all = description;
  all.shape.z *= out.slices;
  out.writer.emplace(path, all, options);
  note_left_out(path, description);
  return *out.writer;
}

io::FrameSink Session::open_frames(const Description& frame, io::FrameSinkOptions options) {
  const std::string& path = argument(1);
  const bool is_one_file = !io::is_sequence(path);
  options.compress = write_options(path).compress;
  if (is_one_file) {
    if (options.count > 1 && !options.are_slices) io::check_holds_frames(path, options.count);
    check_type(path, frame.type);
  }
  io::FrameSink sink(path, frame, options);
  if (is_one_file) note_left_out(path, frame);
  return sink;
}

io::Writer Session::create_beside(const std::string& path, const Description& description,
                                  const io::Film& film) {
  io::WriteOptions options = write_options(path);
  options.film = film;
  io::Writer writer(path, description, options);
  note_left_out(path, description);
  return writer;
}

/// As the writer does, with the option that helps.
void Session::check_type(const std::string& path, PixelType type) const {
  const auto format = format_of(path);
  const bool has_option = std::ranges::count(verb_.options, "type", &OptionEntry::name) > 0;
  if (!has_option || !format || !format->writable || io::can_hold(path, type)) return;
  std::vector<std::string_view> types;
  for (const PixelType each : format->types) types.push_back(name_of(each));
  throw Unsupported(fmt::format("{}: {} cannot hold {} pixels, expected --type {}", path,
                                format->name, name_of(type), fmt::join(types, " or ")));
}

void Session::note_left_out(const std::string& path, const Description& description) {
  const auto format = format_of(path);
  if (!description.placement || format->placement) return;
  left_out_.push_back(
      fmt::format("{}: {} has no room for where the image lies in the world, which is left out",
                  path, format->name));
}

void Session::add_losses(const ValueLosses& part) {
  losses_.add(part);
  if (is_integer(losses_.type)) report_.result()["saturated"] = losses_.saturated;
  if (losses_.zeroed > 0) report_.result()["nan_to_zero"] = losses_.zeroed;
  if (losses_.not_finite > 0) report_.result()["became_nan"] = losses_.not_finite;
}

void Session::finish_out() {
  if (!joins_film()) out_.writer->finish();
}

void Session::plan(Work work, const std::function<bool(const Device&)>& fits) {
  const bool computes = !work.is_empty();
  work *= static_cast<double>(runs_);
  if (invocation().device.device == "auto") {
    const Choice choice = chosen_device(verb_, common_, work, fits);
    use(choice.device, choice.why);
    if (common_.dry_run && computes) say("would compute on " + choice.why);
  } else if (common_.dry_run && computes) {
    say("would compute on " + device().name());
  }
}

std::uint64_t Session::budget(const Device& device) const {
  return common_.memory ? common_.memory->value : device.memory().budget;
}

void Session::use(const Device& device, const std::string& why) {
  device_ = device;
  if (common_.memory) device_->set_memory_budget(common_.memory->value);
  report_.set_device(*device_, why);
  log(fmt::format("device {}: {}, {} threads, budget {} bytes", device_->name(),
                  device_->info().description, threads(), device_->memory().budget));
  if (!why.empty()) log("chosen by the work: " + why);
}

const Device& Session::device() {
  if (!device_) use(Device::open(invocation().device.device), "");
  return *device_;
}

Control Session::control(double from, double to) {
  return {.stop = stop_, .progress = [this, from, to](double fraction) {
            const double done = from + (to - from) * fraction;
            part_ == nullptr ? bar_.show(done) : part_->progress(done);
          }};
}

void Session::say(const std::string& line) const {
  if (common_.json || common_.quiet) return;
  const std::string part =
      part_ == nullptr ? ""
                       : fmt::format("{} {}: ", part_->is_slice ? "slice" : "frame", part_->frame);
  print_in_time(invocation(), stdout, part + line + "\n");
}

void Session::warn(const std::vector<std::string>& lines) const {
  app::warn(invocation(), common_, lines);
}

void Session::log(const std::string& line) const {
  if (common_.verbose) fmt::print(stderr, "meander: {}\n", line);
}

void Session::finish() {
  bar_.clear();
  if (part_ != nullptr) return;
  if (common_.json) fmt::print("{}\n", report_.text(common_.dry_run));
  warn(left_out_);
  if (losses_.values > 0) warn(losses_.warnings(argument(0)));
}

void Session::report_plan(const SlabPlan& plan) {
  report_.result()["slabs"] = plan.slabs;
  report_.result()["slab_bytes"] = plan.bytes;
  const std::string text = fmt::format("{} slabs of {} bytes", plan.slabs, plan.bytes);
  log(text);
  if (common_.dry_run) say("would work in " + text);
}

void warn(Invocation& invocation, const CommonOptions& common,
          const std::vector<std::string>& lines) {
  if (common.quiet) return;
  for (const std::string& line : lines) {
    print_in_time(invocation, stderr, "meander: " + line + "\n");
  }
}

SlabPlan plan_slabs(const Shape& shape, std::int64_t bytes_per_step) {
  // A quarter of what is left leaves room for what formats and devices hold beside the slabs; more
  // than 32 MiB at a time gains nothing and makes cancelling slow.
  const MemoryUse use = Device::open("cpu").memory();
  const std::uint64_t left = use.budget > use.in_use ? use.budget - use.in_use : 0;
  const auto share = static_cast<std::int64_t>(std::min(left / 4, std::uint64_t{32} << 20));
  SlabPlan plan{.length = io::slab_length(shape)};
  plan.steps = std::clamp<std::int64_t>(share / bytes_per_step, 1, plan.length);
  plan.slabs = (plan.length + plan.steps - 1) / plan.steps;
  plan.bytes = plan.steps * bytes_per_step;
  return plan;
}

void for_each_slab(
    Session& session, const SlabPlan& plan,
    const std::function<void(std::int64_t begin, std::int64_t end, const Control& control)>& f) {
  const auto length = static_cast<double>(plan.length);
  for (std::int64_t begin = 0; begin < plan.length; begin += plan.steps) {
    const std::int64_t end = std::min(begin + plan.steps, plan.length);
    const Control control =
        session.control(static_cast<double>(begin) / length, static_cast<double>(end) / length);
    control.step(0);
    f(begin, end, control);
  }
}

Description slab_step(Description description) {
  (description.shape.rank() == 3 ? description.shape.z : description.shape.y) = 1;
  return description;
}

}  // namespace meander::app
