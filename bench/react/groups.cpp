// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <utility>

#include "bench/react/grids.hpp"
#include "bench/react/paper.hpp"
#include "bench/react/react.hpp"
#include "core/message.hpp"
#include "meander/error.hpp"

namespace meander::bench {
namespace {

using engine::PlainSteps;

constexpr const char* by_default = "by default";
/// One work item takes seconds for so many.
constexpr std::int64_t most_cells_alone = 256 * 256;

/// Rows along x, and along y, whose cells lie far apart in memory.
constexpr std::pair<int, int> shapes[] = {
    {1, 1},   {2, 1},  {4, 1},   {8, 1},   {16, 1}, {32, 1},  {64, 1},  {128, 1}, {256, 1},
    {256, 2}, {32, 8}, {16, 16}, {32, 32}, {8, 32}, {2, 256}, {1, 256}, {1, 128}, {1, 32}};

/// Those that the device takes.
std::vector<ReactGroups> all_ways(const Device& device) {
  const PlainSteps as_is_fastest;
  if (!WithPlainSteps(device, &as_is_fastest).is_there()) {
    throw Unsupported(message("device ", device.name(),
                              " has no groups of work items, expected an OpenCL or CUDA device"));
  }
  std::vector<ReactGroups> ways{{.name = by_default}, {.name = "one step a launch"}};
  for (const auto& [width, height] : shapes) {
    const PlainSteps how{width, height, false};
    if (!WithPlainSteps(device, &how).is_there()) continue;
    ways.push_back(
        {.name = message("groups of ", width, "x", height), .width = width, .height = height});
  }
  return ways;
}

}  // namespace

std::vector<ReactGroups> react_groups(const Shape& size, const Device& device, int runs,
                                      const Control& control) {
  std::vector<ReactGroups> ways = all_ways(device);
  EngineGrid grid(ReactNetwork(), react_start(size), PixelType::f32, device);
  const auto candidate_of = [&](const ReactGroups& way) {
    const bool is_plain = way.name != by_default;
    const auto run = [&, is_plain, how = PlainSteps{way.width, way.height, way.is_alone}] {
      const WithPlainSteps plain(device, is_plain ? &how : nullptr);
      return seconds_of(Clock::wall, [&] { grid.run(paper_steps, control.stop); });
    };
    return Candidate{.name = way.name, .run = run};
  };
  std::vector<Candidate> candidates;
  for (const ReactGroups& way : ways) candidates.push_back(candidate_of(way));
  const std::vector<Row> rows = compare_in_turn(candidates, runs, control);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ways[i].seconds = rows[i].seconds;
    ways[i].over_ours = rows[i].ratio;
  }
  if (size.x * size.y > most_cells_alone) return ways;
  ReactGroups alone{.name = "one work item", .width = 1, .height = 1, .is_alone = true};
  const Control unheard{.stop = control.stop, .progress = {}};
  alone.seconds = compare_in_turn({candidate_of(alone)}, 1, unheard)[0].seconds;
  alone.over_ours = scaled(alone.seconds, 1 / ways[0].seconds.median);
  ways.push_back(alone);
  return ways;
}

}  // namespace meander::bench
