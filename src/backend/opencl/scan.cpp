// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/engines.hpp"
#include "backend/opencl/scan_lines_text.hpp"
#include "backend/opencl/scan_part_text.hpp"
#include "core/message.hpp"
#include "engine/view_lines.hpp"

namespace meander::opencl {
namespace {

using engine::Recurrence;

constexpr const char* operation = "scan";

/// `recurrence` in scan.cl.
template <class Real>
struct Coefficients {
  cl_long states, border, warmup;
  Real value;
  Real feed[Recurrence::most_states], backward[Recurrence::most_states];
  Real forward[Recurrence::most_states], steady[Recurrence::most_states];
  Real wrap[Recurrence::most_cascaded * Recurrence::most_cascaded];
  Real turn[Recurrence::most_cascaded * Recurrence::most_cascaded];
};
/// With two buffers and three layouts of lines, within what every device takes of arguments.
static_assert(sizeof(Coefficients<cl_double>) + 3 * sizeof(engine::Lines) + 64 < 1024);

template <class Real>
Coefficients<Real> coefficients_of(const Recurrence& recurrence) {
  Coefficients<Real> all{};
  const auto copy = [](const auto& from, auto& to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<Real>(from[i]);
  };
  all.states = recurrence.states;
  all.border = static_cast<cl_long>(recurrence.border.kind);
  all.warmup = recurrence.warmup;
  all.value = static_cast<Real>(recurrence.border.value);
  copy(recurrence.feed, all.feed);
  copy(recurrence.backward, all.backward);
  copy(recurrence.forward, all.forward);
  copy(recurrence.steady, all.steady);
  copy(recurrence.wrap, all.wrap);
  copy(recurrence.turn, all.turn);
  return all;
}

/// Calls f(kernel, coefficients) in the arithmetic of pixels of type `real`.
template <class F>
void with_kernel(Session& session, const char* text, const char* entry, PixelType in,
                 PixelType real, const Recurrence& recurrence, F f) {
  require_type(session, in);
  require_type(session, real);
  const Kernel kernel = session.programs.kernel(
      operation, text,
      {static_cast<int>(in), static_cast<int>(real), static_cast<int>(recurrence.form)}, entry,
      [&] {
        return message(line_options(session, in, real),
                       recurrence.form == Recurrence::Form::sum ? " -D SUM" : "");
      });
  if (real == PixelType::f64) {
    f(kernel, coefficients_of<cl_double>(recurrence));
  } else {
    f(kernel, coefficients_of<cl_float>(recurrence));
  }
}

}  // namespace

void scan(Session& session, const engine::View& in, const engine::View& out, engine::Axis axis,
          const Recurrence& recurrence) {
  const cl_long count = engine::line_count(in, axis);
  with_kernel(session, scan_lines_text, "scan_lines", in.type, out.type, recurrence,
              [&](const Kernel& kernel, const auto& coefficients) {
                launch(session, operation, kernel, {count, 1}, buffer_of(in.memory),
                       engine::lines_of(in, axis), buffer_of(out.memory),
                       engine::lines_of(out, axis), cl_long{engine::length_along(in, axis)}, count,
                       coefficients);
              });
}

void scan_part(Session& session, const engine::View& in, const engine::View& out,
               const engine::View& state, engine::Axis axis, engine::Direction direction,
               const Recurrence& recurrence) {
  const cl_long count = engine::line_count(in, axis);
  const bool has_out = out.memory != nullptr;
  const engine::View& target = has_out ? out : state;  // an argument must be some buffer
  with_kernel(session, scan_part_text, "scan_part", in.type, state.type, recurrence,
              [&](const Kernel& kernel, const auto& coefficients) {
                launch(session, operation, kernel, {count, 1}, buffer_of(in.memory),
                       engine::lines_of(in, axis), buffer_of(target.memory),
                       engine::lines_of(target, axis), cl_int{has_out}, buffer_of(state.memory),
                       engine::lines_of(state, axis),
                       cl_long{direction == engine::Direction::backward ? -1 : 1},
                       cl_long{engine::length_along(in, axis)}, count, coefficients);
              });
}

void scan_state(Session& session, const engine::View& edge, const engine::View& state,
                engine::Axis axis, engine::StateMap map, const Recurrence& recurrence) {
  const cl_long count = engine::line_count(edge, axis);
  with_kernel(session, scan_part_text, "scan_state", edge.type, state.type, recurrence,
              [&](const Kernel& kernel, const auto& coefficients) {
                launch(session, operation, kernel, {count, 1}, buffer_of(edge.memory),
                       engine::lines_of(edge, axis), buffer_of(state.memory),
                       engine::lines_of(state, axis), static_cast<cl_int>(map), count,
                       coefficients);
              });
}

}  // namespace meander::opencl
