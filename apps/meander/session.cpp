// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace meander::app {

Session::Session(const Verb& verb, const CommonOptions& common,
                 const std::vector<OptionEntry>& common_entries, std::stop_token stop)
    : verb_(verb),
      common_(common),
      stop_(std::move(stop)),
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

const Device& Session::device() {
  if (!device_) {
    device_ = Device::open(device_options.device);
    if (common_.memory) device_->set_memory_budget(common_.memory->value);
    report_.set_device(*device_);
    log(fmt::format("device {}: {}, {} threads, budget {} bytes", device_->name(),
                    device_->info().description, threads(), device_->memory().budget));
  }
  return *device_;
}

Control Session::control(double from, double to) {
  return {.stop = stop_, .progress = [this, from, to](double fraction) {
            bar_.show(from + (to - from) * fraction);
          }};
}

void Session::say(const std::string& line) const {
  if (!common_.json && !common_.quiet) fmt::print("{}\n", line);
}

void Session::log(const std::string& line) const {
  if (common_.verbose) fmt::print(stderr, "meander: {}\n", line);
}

void Session::finish() {
  bar_.clear();
  if (common_.json) fmt::print("{}\n", report_.text(common_.dry_run));
}

void Session::report_plan(const SlabPlan& plan) {
  report_.result()["slabs"] = plan.slabs;
  report_.result()["slab_bytes"] = plan.bytes;
  const std::string text = fmt::format("{} slabs of {} bytes", plan.slabs, plan.bytes);
  log(text);
  if (common_.dry_run) say("would work in " + text);
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
