// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cpu/stencil/stencil.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <tuple>

#include "backend/cpu/engines.hpp"
#include "core/message.hpp"
#include "meander/device.hpp"

namespace meander::cpu {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<StencilPath> wanted_path{StencilPath::automatic};

/// What has been found out about one kind of grid; shared by all calls.
struct Trial {
  static constexpr int rounds = 4;      ///< The first touches memory for the first time: not timed.
  static constexpr double gain = 0.99;  ///< What a ring must reach of the time of rows.
  int round = 0;
  /// Nanoseconds a cell and step, the best of the rounds: others on the machine only add to it.
  double rows = 1e9, ring = 1e9;
  bool is_done() const { return round == rounds; }
  bool is_for_the_ring() const { return ring < gain * rows; }
};
/// Function of a line (of a rule, a type and a neighbourhood), shape, border, threads.
using GridKey = std::tuple<std::uintptr_t, std::int64_t, std::int64_t, std::int64_t, int, int>;

std::mutex notes_mutex;  // of both below
std::map<GridKey, Trial> trials;
std::string notes;

std::string in_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

void note(std::string text) {
  const std::lock_guard lock(notes_mutex);
  notes = std::move(text);
}

std::string words_of(const Trial& trial, const RingPlan& plan) {
  return message(trial.is_for_the_ring() ? "ring" : "rows", ": measured on this grid, ring of ",
                 plan.steps, " steps ", in_digits(trial.ring), " ns a cell and step, rows ",
                 in_digits(trial.rows));
}

/// One call of `iterate`. Every pass has an odd number of steps, so that after each of them as many
/// passes as steps, modulo 2, have gone between the two images.
template <class Real>
class Run {
 public:
  Run(const engine::Iteration& work, const engine::View& state, const engine::View& scratch,
      const engine::View& fields)
      : grid_(work, state, fields), plan_(plan_ring(grid_)), in_(state), out_(scratch) {}

  void all_steps() {
    const StencilPath path = chosen_path();
    while (left() > 0 && !stopped()) pass(path);
  }

 private:
  std::int64_t left() const { return grid_.work().steps - done_; }
  bool stopped() const { return grid_.work().stop.stop_requested(); }

  StencilPath chosen_path() {
    const StencilPath wanted = wanted_path;
    if (wanted == StencilPath::automatic && plan_.steps > 1) return path_by_trial();
    note(wanted == StencilPath::ring ? "ring: as asked for"
         : wanted == StencilPath::rows
             ? "rows: as asked for"
             : "rows: the grid is too low, its lines too long or a volume periodic for a ring");
    return wanted == StencilPath::ring ? StencilPath::ring : StencilPath::rows;
  }

  void pass(StencilPath path) {
    std::int64_t count = 1;
    if (path == StencilPath::rows) {
      step_by_rows(grid_, done_, in_, out_);
    } else {
      count = std::min(plan_.steps, left() % 2 == 0 ? left() - 1 : left());
      steps_by_ring(grid_, plan_, done_, count, in_, out_);
    }
    done_ += count;
    std::swap(in_, out_);
  }

  static constexpr std::int64_t rows_timed = 3;
  static constexpr std::int64_t least_ring = 7;  ///< Steps of a ring that say something of it.
  /// Nanoseconds a cell and step of one pass by ring, or of three by rows.
  double timed(StencilPath path) {
    const std::int64_t before = done_;
    const auto begin = Clock::now();
    for (std::int64_t i = 0; i < (path == StencilPath::rows ? rows_timed : 1); ++i) pass(path);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const Shape& shape = grid_.shape();
    const auto cells = static_cast<double>(shape.x * shape.y * shape.z);
    return seconds * 1e9 / cells / static_cast<double>(done_ - before);
  }

  GridKey key() const {
    const Shape& shape = grid_.shape();
    return {reinterpret_cast<std::uintptr_t>(grid_.function()),
            shape.x,
            shape.y,
            shape.z,
            grid_.border(),
            threads()};
  }

  /// Goes on with the trial of this kind of grid as far as the steps allow; all of them count.
  StencilPath path_by_trial() {
    Trial trial;
    {
      const std::lock_guard lock(notes_mutex);
      trial = trials[key()];
    }
    while (!trial.is_done() && left() >= std::min(plan_.steps, least_ring) + rows_timed &&
           !stopped()) {
      const double rows = timed(StencilPath::rows), ring = timed(StencilPath::ring);
      if (trial.round++ == 0) continue;
      trial.rows = std::min(trial.rows, rows);
      trial.ring = std::min(trial.ring, ring);
    }
    const std::lock_guard lock(notes_mutex);
    if (!stopped()) trials[key()] = trial;
    if (!trial.is_done()) {
      notes = message("ring of ", plan_.steps, " steps: too few steps to time it against rows");
      return StencilPath::ring;
    }
    notes = words_of(trial, plan_);
    return trial.is_for_the_ring() ? StencilPath::ring : StencilPath::rows;
  }

  const Grid<Real> grid_;
  const RingPlan plan_;
  engine::View in_, out_;
  std::int64_t done_ = 0;
};

void all_steps_packed(const engine::Iteration& work, const engine::View& state,
                      const engine::View& scratch, const engine::View& fields) {
  note("rows: states of 16 bits are converted line by line");
  const Grid<float> grid(work, state, fields);
  for (std::int64_t step = 0; step < work.steps && !work.stop.stop_requested(); ++step) {
    const bool is_even = step % 2 == 0;
    step_packed(grid, step, is_even ? state : scratch, fields, is_even ? scratch : state);
  }
}

}  // namespace

void set_stencil_path(StencilPath path) { wanted_path = path; }

void iterate(const engine::Iteration& work, const engine::View& state, const engine::View& scratch,
             const engine::View& fields) {
  if (state.type == PixelType::f64) {
    Run<double>(work, state, scratch, fields).all_steps();
  } else if (state.type == PixelType::f16 || state.type == PixelType::i16) {
    all_steps_packed(work, state, scratch, fields);
  } else {
    Run<float>(work, state, scratch, fields).all_steps();
  }
}

std::string iteration_notes() {
  const std::lock_guard lock(notes_mutex);
  return notes;
}

}  // namespace meander::cpu
