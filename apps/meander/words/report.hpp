// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "meander/device.hpp"
#include "meander/io.hpp"
#include "options/entry.hpp"
#include "words/json.hpp"

namespace meander::app {

/// "1 frame", "2 frames".
inline std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// io::description_json.
Json describe(const Description& description, const io::Film& film);

/// The object that --json prints. Keys are only ever added.
class Report {
 public:
  explicit Report(const std::string& verb);

  void set_options(const std::vector<OptionEntry>& options);
  /// One that is settled only by the input, or that came as an argument.
  void set_option(const std::string& name, const Json& value) { json_["options"][name] = value; }
  /// With why `auto` has chosen it; empty: it was named.
  void set_device(const Device& device, const std::string& why = "");
  void add_input(const std::string& path, const Description& description,
                 const io::Film& film = {});
  void add_output(const std::string& path, const Description& description,
                  const io::Film& film = {});
  void add_output(const std::string& path);  ///< One that is no image.

  /// Runs `work` and adds its time to "read", "compute" or "write".
  template <class Work>
  auto timed(const char* stage, Work&& work) {
    const Stopwatch watch(seconds_[stage]);
    return work();
  }

  double seconds(const char* stage) const { return seconds_[stage].number(); }
  /// For what is not a sum of timed stages.
  void set_seconds(const char* stage, const Json& value) { seconds_[stage] = value; }

  Json& result() { return json_["result"]; }
  /// The whole object, once. A dry run has no times.
  Json object(bool dry_run);
  std::string text(bool dry_run);

 private:
  using Clock = std::chrono::steady_clock;
  struct Stopwatch {
    explicit Stopwatch(Json& total) : total_(total) {}
    ~Stopwatch() {
      total_ = total_.number() + std::chrono::duration<double>(Clock::now() - begin_).count();
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    Json& total_;
    Clock::time_point begin_ = Clock::now();
  };

  const Clock::time_point begin_ = Clock::now();
  std::optional<Device> device_;
  Json json_;
  Json seconds_ = {{"read", 0.0}, {"compute", 0.0}, {"write", 0.0}};
};

}  // namespace meander::app
