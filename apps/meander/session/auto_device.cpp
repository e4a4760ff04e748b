// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "session/auto_device.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace meander::app {
namespace {

/// Of this process, which runs one verb, over many frames or values maybe.
struct State {
  bool is_quiet = false;
  bool on_gpu = false;  ///< By auto's choice, so that `cpu` may take over.
  std::string fault;    ///< Why it has.
  std::vector<std::pair<std::FILE*, std::string>> waiting;
};
State state;

void print_waiting() {
  for (const auto& [to, text] : std::exchange(state.waiting, {})) fmt::print(to, "{}", text);
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

/// Once a process: all frames of a film would say the same.
void warn_of_figures(const std::string& warning) {
  static bool is_told = false;
  if (warning.empty() || state.is_quiet || std::exchange(is_told, true)) return;
  fmt::print(stderr, "meander: {}\n", warning);
}

}  // namespace

Choice chosen_device(const Work& work, const std::function<bool(const Device&)>& fits) {
  const Device cpu = Device::open("cpu");
  if (!state.fault.empty()) return {cpu, "cpu: " + state.fault, {}};
  Choice choice = Device::for_work(work);
  warn_of_figures(choice.warning);
  if (choice.device == cpu) return choice;
  state.on_gpu = true;  // estimating may use it already
  if (!fits || fits(choice.device)) return choice;
  state.on_gpu = false;
  return {cpu, fmt::format("cpu: {} has no room for it", choice.device.name()), {}};
}

int run_or_go_on_with_cpu(Verb& verb, CommonOptions& common, const std::function<int()>& run) {
  const VerbAsGiven given(verb, common);
  state.is_quiet = common.quiet;
  const auto may_go_on = [](const Error& fault) {
    if (state.on_gpu) state.fault = fault.what();
    return std::exchange(state.on_gpu, false);
  };
  try {
    const int code = run();
    print_waiting();
    return code;
  } catch (const DeviceError& fault) {
    if (!may_go_on(fault)) throw;
  } catch (const OutOfMemory& fault) {
    if (!may_go_on(fault)) throw;
  } catch (...) {
    print_waiting();
    throw;
  }
  state.waiting.clear();
  warn(common, {state.fault + "; going on with cpu"});
  given.restore();
  return run();
}

void print_in_time(std::FILE* to, const std::string& text) {
  if (state.on_gpu) {
    state.waiting.emplace_back(to, text);
  } else {
    fmt::print(to, "{}", text);
  }
}

}  // namespace meander::app
