// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "meander/statistics.hpp"
#include "react/react.hpp"
#include "system/file_names.hpp"

namespace meander::app {
namespace {

/// A preset file is a few hundred bytes; whatever is larger was meant for something else.
constexpr std::uintmax_t most_preset_bytes = 65536;

ReactOptions preset_in_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (!file || error) {
    throw InvalidArgument(
        fmt::format("--preset: '{}' is neither a file that can be read nor one "
                    "of {}",
                    path, fmt::join(react_preset_names(), ", ")));
  }
  if (bytes > most_preset_bytes) {
    throw MalformedFile(fmt::format("{}: a preset of {} bytes, expected at most {}", path, bytes,
                                    most_preset_bytes));
  }
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  try {
    return parse_react_preset(text, path);
  } catch (const InvalidArgument& fault) {
    throw MalformedFile(fault.what());
  }
}

ReactOptions preset_named(const std::string& name) {
  const auto names = react_preset_names();
  const bool built_in = std::find(names.begin(), names.end(), name) != names.end();
  return built_in ? react_preset(name) : preset_in_file(name);
}

Json range_of(const std::array<double, 2>& range) { return {number(range[0]), number(range[1])}; }

}  // namespace

ReactOptions options_for(const Session& session, const ReactVerbOptions& given,
                         const Shape& shape) {
  ReactOptions used = preset_named(given.preset);
  const Genes of_preset = used.genes;
  ReactOptions said = given.react;
  const auto from = entries_of(said);
  const auto to = entries_of(used);
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i].name != "genes" && session.given(to[i].name)) to[i].set(from[i].get());
  }
  if (session.given("genes")) used.genes = completed(given.react.genes, of_preset);
  validate(used);
  if (session.given("dt") || used.force || shape.rank() < 3) return used;
  const ReactOptions stable = with_stable_dt(shape, used);
  if (stable.dt == used.dt) return used;
  used.dt = stable.dt;
  if (!session.given("steps")) used.steps = stable.steps;
  return used;
}

void say_if_lowered(const Session& session, const ReactVerbOptions& given,
                    const ReactOptions& used) {
  if (session.given("dt") || used.dt == preset_named(given.preset).dt) return;
  session.say(fmt::format("dt lowered to {:.6g} for a volume, {} steps", used.dt, used.steps));
}

Description react_output(const ReactVerbOptions& given, const ReactOptions& used,
                         const std::string& path, const Description& input) {
  Description output = react_layers(input, used);  // whose type the writer may refuse by name
  for (const PixelType type : {PixelType::u8, input.type, PixelType::f32, output.type}) {
    if (io::can_hold(path, type)) output.type = type;
  }
  if (given.type) output.type = *given.type;
  const bool is_picture = io::can_hold(path, PixelType::u16) && !io::can_hold(path, PixelType::f32);
  if (used.layer == ReactLayer::both && output.channels == 2 && is_picture) {
    throw Unsupported(fmt::format(
        "{}: a picture shows a second channel as transparency, expected TIFF or NPY for both "
        "layers",
        path));
  }
  return output;
}

void check_react_memory(Session& session, const Description& image, const ReactOptions& used,
                        std::int64_t runs, int layers_kept, const Description& output) {
  const auto bytes_on = [&](const Device& device) {
    return estimate_bytes(image, used, device) +
           layers_kept * padded_bytes(react_layers(image, used)) + padded_bytes(output);
  };
  Work work = estimate_work(image, used);
  work *= static_cast<double>(runs);
  session.plan(work, [&](const Device& device) {
    return static_cast<std::uint64_t>(bytes_on(device)) <= session.budget(device);
  });
  const std::int64_t bytes = bytes_on(session.device());
  session.report().result()["memory_bytes"] = bytes;
  const std::string line = fmt::format("in memory, {} bytes", bytes);
  session.log(line);
  if (session.common().dry_run) session.say("would work " + line);
  const std::uint64_t budget = session.device().memory().budget;
  if (static_cast<std::uint64_t>(bytes) > budget) {
    throw OutOfMemory(fmt::format("{}: the network needs {} bytes on {}, the budget is {}",
                                  session.argument(0), bytes, session.device().name(), budget));
  }
}

void report_react_plan(Session& session, const ReactOptions& used, double dt_limit) {
  ReactOptions copy = used;
  session.report().set_options(entries_of(copy));
  Json& result = session.report().result();
  result["steps"] = used.steps;
  result["dt"] = used.dt;
  result["dt_limit"] = number(dt_limit);
  const std::string line = fmt::format("{} steps of dt {:.6g}, limit of stability {:.6g}",
                                       used.steps, used.dt, dt_limit);
  session.log(line);
  if (session.common().dry_run) session.say("would run " + line);
}

void report_react_figures(Session& session, const ReactOptions& used, const ReactFigures& figures) {
  const std::array<double, 2> written =
      used.layer == ReactLayer::u ? figures.u
      : used.layer == ReactLayer::v
          ? figures.v
          : std::array{std::min(figures.u[0], figures.v[0]), std::max(figures.u[1], figures.v[1])};
  Json& result = session.report().result();
  result["steps"] = figures.steps;
  result["min"] = number(written[0]);
  result["max"] = number(written[1]);
  result["u"] = range_of(figures.u);
  result["v"] = range_of(figures.v);
  result["window"] = range_of(figures.window);
  if (figures.beyond > 0) result["beyond_window"] = figures.beyond;
  result["settled"] = figures.settled;
  result["change"] = number(figures.change);
  result["method"] = figures.method;
  session.log(fmt::format("by {}", figures.method));
  session.log(
      fmt::format("pixels {:g} to {:g} became -1 to 1; u is {:.4g} to {:.4g}, v {:.4g} to "
                  "{:.4g} after {} steps",
                  figures.window[0], figures.window[1], figures.u[0], figures.u[1], figures.v[0],
                  figures.v[1], figures.steps));
}

Image counted_pixels(Session& session, const Image& layers, const ReactOptions& used,
                     const ReactFigures& figures, PixelType type) {
  constexpr std::int64_t rows_at_once = 64;  // so that no budget has to count them
  if (used.output_map.kind == ReactMap::Kind::input && is_integer(type)) {
    for (std::int64_t begin = 0; begin < layers.shape().y; begin += rows_at_once) {
      const Image rows = layers.rows(begin, std::min(begin + rows_at_once, layers.shape().y));
      session.add_losses(losses_of(react_pixels(rows, used, figures, layers.type()), {.type = type},
                                   session.argument(1)));
    }
  }
  return react_pixels(layers, used, figures, type);
}

void say_if_beyond(const Session& session, const std::array<double, 2>& window,
                   std::int64_t beyond) {
  if (beyond == 0) return;
  session.say(fmt::format(
      "window {:g} to {:g}: {} pixels beyond it became -1 or 1; --window range takes them in",
      window[0], window[1], beyond));
}

ReactFigures figures_of(const Image& layers, ReactLayer layer, ReactFigures figures) {
  const auto range = [&](const Image& image) {
    const Statistics found = statistics(image);
    return std::array{found.min, found.max};
  };
  if (layer == ReactLayer::u) figures.u = range(layers);
  if (layer == ReactLayer::v) figures.v = range(layers);
  if (layer == ReactLayer::both) {
    figures.u = range(layer_of(layers, ReactLayer::u));
    figures.v = range(layer_of(layers, ReactLayer::v));
  }
  return figures;
}

/// Every other channel of the same pixels.
Image layer_of(const Image& both, ReactLayer layer) {
  const auto host = std::make_shared<Image>(both.download());
  Description description = host->description();
  description.channels /= 2;
  Pitch pitch = host->pitch();
  pitch.channel *= 2;
  return Image::wrap(host->mutable_row_bytes(0, 0, layer == ReactLayer::u ? 0 : 1), description,
                     pitch, host);
}

bool is_gif(const std::string& path) { return suffix_of(path) == ".gif"; }

}  // namespace meander::app
