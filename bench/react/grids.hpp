// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "bench/react/loops.hpp"
#include "engine/stencil.hpp"
#include "meander/device.hpp"

/// The same network on the same image, in the hands of the engine or of a loop. All take their
/// memory from the `cpu` device, so none has better pages or rows than the other.
namespace meander::bench {

/// u and v at the start: a picture of blobs with noise, mapped to [-0.5, 0.5].
struct ReactStart {
  Shape shape;
  std::vector<float> states;  ///< Row after row.
};
ReactStart react_start(const Shape& shape);

/// What the engine is told.
engine::Iteration iteration_of(const ReactNetwork& network);

/// On the engine of `cpu`; type f32 or f64.
class EngineGrid {
 public:
  EngineGrid(const ReactNetwork& network, const ReactStart& start, PixelType type,
             const Device& device = Device::open("cpu"));

  /// An even number of steps, so that the result is where the start was. Returns when they are
  /// done; early, with any state, when stopped.
  void run(std::int64_t steps, const std::stop_token& stop = {});
  /// Copies the states to the image beside them: what every step reads and writes.
  void copy();
  std::string notes() const;

  const Image& state() const { return state_; }
  const Image& other() const { return other_; }
  const engine::Iteration& iteration() const { return iteration_; }
  /// u, row after row.
  std::vector<double> u() const;

 private:
  const ReactNetwork network_;
  const Device device_;
  engine::Iteration iteration_;
  Image state_, other_;
};

/// In the hands of a loop; Number is float, int16 or int32.
template <class Number>
class LoopGrid {
 public:
  /// Does rows [begin, end) of one step.
  using Loop =
      std::function<void(const ReactLayers<Number>&, std::int64_t begin, std::int64_t end)>;

  /// `scales`: what u and v are times to be states.
  LoopGrid(const ReactStart& start, const FixedScales& scales, Loop loop, bool on_all_threads);

  /// Stops early, with any state, when asked to.
  void run(std::int64_t steps, const std::stop_token& stop = {});
  /// u, row after row.
  std::vector<double> u() const;

 private:
  void step();

  const Loop loop_;
  const bool on_all_threads_;
  const FixedScales scales_;
  Image now_, next_;
};

/// The paper's loop on one thread, and the integers on all of them.
LoopGrid<float> plain_grid(const ReactNetwork& network, const ReactStart& start,
                           ReactLoops::Plain loop);
template <class Number>
LoopGrid<Number> fixed_grid(const ReactNetwork& network, const ReactStart& start);

}  // namespace meander::bench
