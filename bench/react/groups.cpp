// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <optional>

#include "bench/react/grids.hpp"
#include "bench/react/paper.hpp"
#include "bench/react/react.hpp"
#include "core/message.hpp"
#include "engine/backend.hpp"
#include "meander/error.hpp"

namespace meander::bench {
namespace {

using engine::PlainSteps;

/// One work item takes as long for each cell of larger images, and minutes for all of them.
constexpr std::int64_t most_cells_alone = 128 * 128;

struct Way {
  std::string name;
  std::optional<PlainSteps> how;  ///< Several steps a launch where there is none.
};

/// Rows along x, and along y, whose cells lie far apart in memory.
std::vector<Way> all_ways(const Shape& size) {
  std::vector<Way> ways{{"several steps a launch", {}}, {"one step a launch", PlainSteps{}}};
  for (const auto& [width, height] : {std::pair{1, 1},
                                      {2, 1},
                                      {4, 1},
                                      {8, 1},
                                      {16, 1},
                                      {32, 1},
                                      {64, 1},
                                      {128, 1},
                                      {256, 1},
                                      {256, 2},
                                      {32, 8},
                                      {16, 16},
                                      {32, 32},
                                      {8, 32},
                                      {2, 256},
                                      {1, 256},
                                      {1, 128},
                                      {1, 32}}) {
    ways.push_back({message("groups of ", width, "x", height), PlainSteps{width, height, false}});
  }
  if (size.x * size.y <= most_cells_alone) {
    ways.push_back({"one work item", PlainSteps{1, 1, true}});
  }
  return ways;
}

/// While it lives steps are taken one a launch.
class WithPlainSteps {
 public:
  WithPlainSteps(engine::Backend& backend, const Way& way) : backend_(backend) {
    if (!backend.take_plain_steps(way.how ? &*way.how : nullptr)) {
      throw Unsupported(message("device ", backend.info().name,
                                " has no groups of work items, expected an OpenCL or CUDA device"));
    }
  }
  ~WithPlainSteps() { backend_.take_plain_steps(nullptr); }
  WithPlainSteps(const WithPlainSteps&) = delete;
  WithPlainSteps& operator=(const WithPlainSteps&) = delete;

 private:
  engine::Backend& backend_;
};

}  // namespace

std::vector<ReactGroups> react_groups(const Shape& size, const Device& device, int runs,
                                      const Control& control) {
  engine::Backend& backend = device.backend();
  EngineGrid grid(ReactNetwork(), react_start(size), PixelType::f32, device);
  std::vector<ReactGroups> found;
  std::vector<Candidate> candidates;
  for (const Way& way : all_ways(size)) {
    found.push_back({.name = way.name});
    const auto run = [&grid, &backend, &control, way] {
      const WithPlainSteps plain(backend, way);
      return seconds_of(Clock::wall, [&] { grid.run(paper_steps, control.stop); });
    };
    candidates.push_back({.name = way.name, .run = run});
  }
  std::size_t index = 0;
  for (const Row& row : compare_in_turn(candidates, runs, control)) {
    found[index].seconds = row.seconds;
    found[index++].over_ours = row.ratio;
  }
  return found;
}

}  // namespace meander::bench
