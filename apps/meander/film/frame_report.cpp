// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "film/frame_report.hpp"

#include <algorithm>
#include <utility>

namespace meander::app {
namespace {

void add_numbers(Json& sums, const Json& more) {
  for (const std::string& name : more.names()) {
    if (more[name].is_number()) sums[name] = sums[name].number() + more[name].number();
  }
}

void add_outputs(Json& outputs, const Json& more) {
  for (const Json& output : more) {
    const bool is_known = std::any_of(outputs.begin(), outputs.end(), [&](const Json& known) {
      return known["path"] == output["path"];
    });
    if (!is_known) outputs.push_back(output);
  }
}

}  // namespace

void FrameReport::add(std::int64_t frame, Json report) {
  Json result = {{word_, frame}};
  if (report["result"].is_object()) result.update(report["result"]);
  results_.push_back(std::move(result));
  if (json_.is_null()) {
    json_ = std::move(report);
    return;
  }
  add_outputs(json_["outputs"], report["outputs"]);
  if (!report.contains("seconds")) return;  // of a dry run
  add_numbers(json_["seconds"], report["seconds"]);
  json_["memory"] = std::move(report["memory"]);
}

void FrameReport::set_film(const std::string& path, const io::Film& film, std::int64_t slices) {
  const Json of_film = describe({}, film);
  for (Json& output : json_["outputs"]) {
    if (output["path"].text() != path) continue;
    for (const char* name : {"frames", "seconds_per_frame"}) {
      if (of_film.contains(name)) output[name] = of_film[name];
    }
    if (slices == 1) continue;
    Json shape{slices};
    for (const Json& extent : output["shape"]) shape.push_back(extent);
    output["shape"] = std::move(shape);
  }
}

std::string FrameReport::text() {
  json_["result"] = {{word_ + "s", results_.size()}, {"per_" + word_, std::move(results_)}};
  return json_.dump(2);
}

}  // namespace meander::app
