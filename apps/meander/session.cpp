// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace meander::app {

Session::Session(const Verb& verb, const CommonOptions& common, std::stop_token stop)
    : verb_(verb),
      common_(common),
      stop_(std::move(stop)),
      bar_(!common.quiet && isatty(STDERR_FILENO) != 0),
      report_(verb.name) {
  set_threads(static_cast<int>(common.threads));
  if (common.memory) Device::open("cpu").set_memory_budget(common.memory->value);
  report_.set_options(verb.options);
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

std::int64_t slab_steps(std::int64_t length, std::int64_t bytes_per_step) {
  // A quarter of what is left leaves room for what formats and devices hold beside the slabs; more
  // than 256 MiB at a time gains nothing and makes cancelling slow.
  const MemoryUse use = Device::open("cpu").memory();
  const std::uint64_t left = use.budget > use.in_use ? use.budget - use.in_use : 0;
  const auto share =
      static_cast<std::int64_t>(std::min<std::uint64_t>(left / 4, std::uint64_t{256} << 20));
  return std::clamp<std::int64_t>(share / std::max<std::int64_t>(1, bytes_per_step), 1, length);
}

void for_each_slab(std::int64_t length, std::int64_t steps,
                   const std::function<void(std::int64_t begin, std::int64_t end)>& f) {
  for (std::int64_t begin = 0; begin < length; begin += steps)
    f(begin, std::min(begin + steps, length));
}

Description slab_step(Description description) {
  (description.shape.rank() == 3 ? description.shape.z : description.shape.y) = 1;
  return description;
}

}  // namespace meander::app
