// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "words/report.hpp"

#include <sys/resource.h>

#include <cmath>
#include <cstdlib>

#include "meander/version.hpp"
#include "words/placement_words.hpp"

namespace meander::app {
namespace {

std::uint64_t peak_bytes_of_process() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// Numbers as numbers, flags as booleans, what was not given as null, the rest as on the command
/// line.
Json value_of(const OptionEntry& option) {
  const std::string text = option.get();
  if (text.empty()) return nullptr;
  if (option.is_flag) return text == "true";
  return option.is_number ? number_or_text(text) : Json(text);
}

Json json_of(const Placement& placement) {
  Json json = {{"origin", placement.origin}, {"steps", placement.step}};
  json["axes"] = name_of(placement.axes);
  json["orientation"] = orientation_of(placement);
  return json;
}

}  // namespace

Json describe(const Description& description) {
  const Shape& shape = description.shape;
  const Spacing& spacing = description.spacing;
  const bool volume = shape.rank() == 3;
  Json json;
  json["shape"] = volume ? Json{shape.z, shape.y, shape.x} : Json{shape.y, shape.x};
  json["channels"] = description.channels;
  json["type"] = name_of(description.type);
  json["spacing"] = volume ? Json{spacing.z, spacing.y, spacing.x} : Json{spacing.y, spacing.x};
  json["unit"] = name_of(spacing.unit);
  if (description.placement) json["placement"] = json_of(*description.placement);
  return json;
}

Json describe(const io::Film& film) {
  if (film.frames == 1) return Json::object();
  return {{"frames", film.frames},
          {"seconds_per_frame", film.seconds > 0 ? Json(film.seconds) : Json(nullptr)}};
}

Report::Report(const std::string& verb) {
  json_["verb"] = verb;
  json_["version"] = version();
  json_["device"] = nullptr;
  json_["threads"] = threads();
  json_["inputs"] = Json::array();
  json_["outputs"] = Json::array();
  json_["options"] = Json::object();
}

void Report::set_options(const std::vector<OptionEntry>& options) {
  json_["threads"] = threads();
  for (const OptionEntry& option : options) json_["options"][option.name] = value_of(option);
}

void Report::set_device(const Device& device, const std::string& why) {
  device_ = device;
  json_["device"] = {{"name", device.name()}, {"description", device.info().description}};
  if (!why.empty()) json_["chosen"] = why;
}

void Report::add_input(const std::string& path, const Description& description,
                       const io::Film& film) {
  Json entry = {{"path", path}};
  entry.update(describe(description));
  entry.update(describe(film));
  json_["inputs"].push_back(std::move(entry));
}

void Report::add_output(const std::string& path, const Description& description,
                        const io::Film& film) {
  Json entry = {{"path", path}};
  entry.update(describe(description));
  entry.update(describe(film));
  json_["outputs"].push_back(std::move(entry));
}

void Report::add_output(const std::string& path) { json_["outputs"].push_back({{"path", path}}); }

Json Report::object(bool dry_run) {
  if (dry_run) {
    json_["dry_run"] = true;
  } else {
    json_["seconds"] = seconds_;
    json_["seconds"]["total"] = std::chrono::duration<double>(Clock::now() - begin_).count();
    json_["memory"] = {{"peak_bytes", peak_bytes_of_process()},
                       {"device_peak_bytes", device_.value_or(Device::open("cpu")).memory().peak}};
  }
  Json result = std::move(json_["result"]);
  json_.erase("result");
  json_["result"] = std::move(result);  // last, where a reader looks for it
  return std::move(json_);
}

std::string Report::text(bool dry_run) { return object(dry_run).dump(2); }

}  // namespace meander::app
