// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "words/report.hpp"

#include <sys/resource.h>

#include <cmath>
#include <cstdlib>

#include "meander/version.hpp"

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

}  // namespace

Json describe(const Description& description, const io::Film& film) {
  return Json::parse(io::description_json(description, film));
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
  entry.update(describe(description, film));
  json_["inputs"].push_back(std::move(entry));
}

void Report::add_output(const std::string& path, const Description& description,
                        const io::Film& film) {
  Json entry = {{"path", path}};
  entry.update(describe(description, film));
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
