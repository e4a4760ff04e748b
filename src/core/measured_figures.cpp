// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "core/measured_figures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "core/message.hpp"
#include "core/number_text.hpp"
#include "meander/version.hpp"
#include "meander/work.hpp"

namespace meander {
namespace {

constexpr std::string_view first_line = "meander figures 1";
constexpr std::size_t most_devices = 64;
constexpr std::string_view kind_names[work_kinds] = {"lines", "steps", "cycles", "outlines"};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// The lines of a text, each a word and the rest.
class Lines {
 public:
  explicit Lines(std::string_view text) : left_(text) {}

  bool at_end() const { return left_.empty(); }
  std::string_view next() {
    const std::size_t end = std::min(left_.find('\n'), left_.size());
    const std::string_view line = left_.substr(0, end);
    left_.remove_prefix(std::min(end + 1, left_.size()));
    ++number_;
    return line;
  }
  /// What follows the word that the next line must begin with.
  std::string_view after(std::string_view word) {
    const std::string_view line = next();
    if (!line.starts_with(word) || line.substr(word.size(), 1) != " ") refuse(line, word);
    return line.substr(word.size() + 1);
  }
  double number(std::string_view text) const {
    const auto value = number_in<double>(text);
    if (!value || !std::isfinite(*value) || !(*value > 0)) refuse(text, "a number above 0");
    return *value;
  }
  [[noreturn]] void refuse(std::string_view found, std::string_view expected) const {
    constexpr std::size_t shown = 40;
    throw MalformedFile(
        message("line ", number_, " has '", found.substr(0, shown), "', expected ", expected));
  }

 private:
  std::string_view left_;
  int number_ = 0;
};

DeviceFigures device_in(Lines& lines) {
  DeviceFigures device{.name = std::string(lines.after("device")),
                       .description = std::string(lines.after("description"))};
  if (device.is_gpu()) {
    device.start = lines.number(lines.after("start"));
    device.upload = lines.number(lines.after("upload"));
    device.download = lines.number(lines.after("download"));
  }
  for (std::size_t kind = 0; kind < work_kinds; ++kind) {
    const std::string_view pair = lines.after(kind_names[kind]);
    const std::size_t space = std::min(pair.find(' '), pair.size());
    device.costs[kind] = {lines.number(pair.substr(0, space)),
                          lines.number(pair.substr(std::min(space + 1, pair.size())))};
  }
  return device;
}

}  // namespace

std::string_view name_of(WorkKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::filesystem::path cache_folder() {
  namespace fs = std::filesystem;
  if (const auto chosen = variable("MEANDER_CACHE"); !chosen.empty()) return chosen;
  if (const auto caches = variable("XDG_CACHE_HOME"); !caches.empty()) {
    return fs::path(caches) / "meander";
  }
  if (const auto home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache/meander";
  return {};
}

std::filesystem::path figures_file() {
  const std::filesystem::path folder = cache_folder();
  return folder.empty() ? folder : folder / "figures.txt";
}

std::string nvidia_driver() {
  std::ifstream file("/sys/module/nvidia/version");
  std::string version;
  std::getline(file, version);
  return version;
}

/// `cpu` is a thread of a server's processor of some 3 GHz with its share of the memory; on CUDA an
/// H200, with transfers from pageable memory. OpenCL may be anything, so it must be worth waiting
/// for.
Figures built_in_figures(int threads) {
  const DeviceFigures thread{
      .name = "cpu", .costs = {{{1.5e-9, 5e-6}, {5e-10, 5e-6}, {3e-8, 2e-5}, {1e-7, 1e-3}}}};
  Figures figures{.threads = 1,
                  .driver = {},
                  .devices = {thread,
                              {.name = "cuda",
                               .start = 0.4,
                               .upload = 2e-10,
                               .download = 2e-10,
                               .costs = {{{5e-12, 2e-5}, {2.5e-12, 1e-6}, {2.5e-10, 4e-5}, {}}}},
                              {.name = "opencl",
                               .start = 0.4,
                               .upload = 3e-10,
                               .download = 3e-10,
                               .costs = {{{1e-10, 1e-4}, {1.5e-11, 1e-5}, {1e-9, 1e-4}, {}}}}}};
  figures = scaled(std::move(figures), threads);
  // Objects are found on the processor, whatever the device.
  constexpr auto outlines = static_cast<std::size_t>(WorkKind::outlines);
  for (std::size_t i = 1; i < figures.devices.size(); ++i) {
    const DeviceFigures::Cost& host = figures.devices[0].costs[outlines];
    figures.devices[i].costs[outlines] = {1.2 * host.unit, 40 * host.launch};
  }
  return figures;
}

Figures scaled(Figures figures, int threads) {
  const double ratio = static_cast<double>(figures.threads) / threads;
  for (DeviceFigures::Cost& cost : figures.devices.at(0).costs) cost.unit *= ratio;
  figures.threads = threads;
  return figures;
}

std::string text_of(const Figures& figures) {
  std::string text = message(first_line);
  const auto add = [&](const auto&... parts) { text += '\n' + message(parts...); };
  add("version ", version());
  add("driver ", figures.driver);
  add("threads ", figures.threads);
  for (const DeviceFigures& device : figures.devices) {
    add("device ", device.name);
    add("description ", device.description);
    if (device.is_gpu()) {
      add("start ", device.start);
      add("upload ", device.upload);
      add("download ", device.download);
    }
    for (std::size_t kind = 0; kind < work_kinds; ++kind) {
      add(kind_names[kind], ' ', device.costs[kind].unit, ' ', device.costs[kind].launch);
    }
  }
  return text + '\n';
}

Figures figures_in(std::string_view text) {
  Lines lines(text);
  if (const auto line = lines.next(); line != first_line) lines.refuse(line, first_line);
  if (const auto of = lines.after("version"); of != version()) {
    lines.refuse(of, message("the version ", version()));
  }
  Figures figures;
  figures.driver = lines.after("driver");
  const auto threads = number_in<int>(lines.after("threads"));
  if (!threads || *threads < 1 || *threads > 1024) lines.refuse("threads", "1 to 1024 of them");
  figures.threads = *threads;
  while (!lines.at_end()) {
    if (figures.devices.size() == most_devices) lines.refuse("device", "fewer of them");
    figures.devices.push_back(device_in(lines));
    const bool is_first = figures.devices.size() == 1;
    if (is_first == figures.devices.back().is_gpu()) {
      lines.refuse(figures.devices.back().name, "cpu as the first device and no other");
    }
  }
  if (figures.devices.empty()) lines.refuse("", "a device");
  return figures;
}

}  // namespace meander
