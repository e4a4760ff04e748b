// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "session/auto_device.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace meander::app {
namespace {

void print_waiting(AutoRun& run) {
  for (const auto& [to, text] : std::exchange(run.waiting, {})) fmt::print(to, "{}", text);
}

/// Runs over frames and values name other files and options for each.
class VerbAsGiven {
 public:
  VerbAsGiven(Verb& verb, CommonOptions& common)
      : verb_(verb), common_(common), before_(verb), sweep_(common.sweep) {
    for (const OptionEntry& option : verb.options) texts_.push_back(option.get());
  }
  void restore() const {
    verb_ = before_;
    common_.sweep = sweep_;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const OptionEntry& option = verb_.options[i];
      if (option.is_text && option.get() != texts_[i]) option.set(texts_[i]);
    }
  }

 private:
  Verb& verb_;
  CommonOptions& common_;
  const Verb before_;
  const std::vector<SweepAxis> sweep_;
  std::vector<std::string> texts_;
};

void warn_of_figures(AutoRun& run, const CommonOptions& common, const std::string& warning) {
  if (warning.empty() || common.quiet || std::exchange(run.is_warned, true)) return;
  fmt::print(stderr, "meander: {}\n", warning);
}

}  // namespace

Choice chosen_device(const Verb& verb, const CommonOptions& common, const Work& work,
                     const std::function<bool(const Device&)>& fits) {
  AutoRun& run = verb.invocation->auto_run;
  const Device cpu = Device::open("cpu");
  if (!run.fault.empty()) return {cpu, "cpu: " + run.fault, {}};
  Choice choice = Device::for_work(work);
  warn_of_figures(run, common, choice.warning);
  if (choice.device == cpu) return choice;
  run.on_gpu = true;  // estimating may use it already
  if (!fits || fits(choice.device)) return choice;
  run.on_gpu = false;
  return {cpu, fmt::format("cpu: {} has no room for it", choice.device.name()), {}};
}

int run_or_go_on_with_cpu(Verb& verb, CommonOptions& common, const std::function<int()>& work) {
  AutoRun& run = verb.invocation->auto_run;
  const VerbAsGiven given(verb, common);
  const auto may_go_on = [&run](const Error& fault) {
    if (run.on_gpu) run.fault = fault.what();
    return std::exchange(run.on_gpu, false);
  };
  try {
    const int code = work();
    print_waiting(run);
    return code;
  } catch (const DeviceError& fault) {
    if (!may_go_on(fault)) throw;
  } catch (const OutOfMemory& fault) {
    if (!may_go_on(fault)) throw;
  } catch (...) {
    print_waiting(run);
    throw;
  }
  run.waiting.clear();
  warn(*verb.invocation, common, {run.fault + "; going on with cpu"});
  given.restore();
  return work();
}

void print_in_time(Invocation& invocation, std::FILE* to, const std::string& text) {
  if (invocation.auto_run.on_gpu) {
    invocation.auto_run.waiting.emplace_back(to, text);
  } else {
    fmt::print(to, "{}", text);
  }
}

}  // namespace meander::app
