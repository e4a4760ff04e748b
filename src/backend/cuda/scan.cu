// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one thread a line. See engine::Recurrence for what is computed.
#include "backend/cuda/lines.cuh"

namespace meander::cuda {
namespace {

constexpr int most_states = ScanNumbers::most_states;
constexpr int most_cascaded = ScanNumbers::most_cascaded;

/// ScanNumbers in the type of the arithmetic.
template <class Real>
struct Coefficients {
  explicit Coefficients(const ScanNumbers& all)
      : states(all.states),
        border(all.border),
        warmup(all.warmup),
        value(static_cast<Real>(all.value)) {
    for (int k = 0; k < most_states; ++k) {
      feed[k] = static_cast<Real>(all.feed[k]);
      backward[k] = static_cast<Real>(all.backward[k]);
      forward[k] = static_cast<Real>(all.forward[k]);
      steady[k] = static_cast<Real>(all.steady[k]);
    }
    for (int k = 0; k < most_cascaded * most_cascaded; ++k) {
      wrap[k] = static_cast<Real>(all.wrap[k]);
      turn[k] = static_cast<Real>(all.turn[k]);
    }
  }

  int states, border;
  std::int64_t warmup;
  Real value;
  Real feed[most_states], backward[most_states], forward[most_states], steady[most_states];
  Real wrap[most_cascaded * most_cascaded], turn[most_cascaded * most_cascaded];
};

/// Values of type T along a line.
template <class T>
struct Source {
  const char* pixels;
  std::int64_t step, length;

  template <class Real>
  __device__ Real at(std::int64_t place) const {
    return load<Real>(*reinterpret_cast<const T*>(pixels + place * step));
  }
  template <class Real>
  __device__ Real at_or_beyond(const Coefficients<Real>& r, std::int64_t place) const {
    const std::int64_t index = engine::ghost_index(place, length, r.border);
    return index < 0 ? r.value : at<Real>(index);
  }
};

/// The states of one line. Loops have a constant length and a condition, so that they can be
/// unrolled and the states kept in registers.
template <bool Sum, class Real>
struct States {
  static constexpr int most = Sum ? most_states : most_cascaded;
  Real s[most];

  __device__ void update(const Coefficients<Real>& r, Real x) {
    if constexpr (Sum) {
#pragma unroll
      for (int t = 0; t < most; t += 2) {
        if (t >= r.states) continue;
        const Real re = s[t], im = s[t + 1];
        // The change is put together first: on a constant it is 0, and nothing drifts.
        s[t] = re + (x - (r.feed[t] * re - r.feed[t + 1] * im));
        s[t + 1] = im - (r.feed[t] * im + r.feed[t + 1] * re);
      }
    } else {
      Real e = r.feed[0] * (x - s[0]);
#pragma unroll
      for (int k = 1; k < most; ++k) {
        if (k < r.states) e -= r.feed[k] * s[k];
      }
#pragma unroll
      for (int k = most - 1; k >= 0; --k) {
        if (k == r.states - 1) {
          s[k] += e;
        } else if (k + 1 < most && k < r.states) {
          s[k] += s[k + 1];
        }
      }
    }
  }

  __device__ Real weighted(const Coefficients<Real>& r, const Real* weights) const {
    Real sum = 0;
#pragma unroll
    for (int k = 0; k < most; ++k) {
      if (k < r.states) sum += weights[k] * s[k];
    }
    return sum;
  }

  __device__ void start(const Coefficients<Real>& r, Real edge) {
#pragma unroll
    for (int k = 0; k < most; ++k) s[k] = r.steady[k] * edge;
  }

  /// steady·edge + matrix·(s - steady·edge); of a sum one complex factor for each term.
  __device__ void map(const Coefficients<Real>& r, const Real* matrix, Real edge) {
    Real d[most];
#pragma unroll
    for (int k = 0; k < most; ++k) d[k] = s[k] - r.steady[k] * edge;
#pragma unroll
    for (int row = 0; row < most; ++row) {
      Real product = 0;
      if constexpr (Sum) {
        const int t = row / 2 * 2;
        product = row == t ? matrix[t] * d[t] - matrix[t + 1] * d[t + 1]
                           : matrix[t] * d[t + 1] + matrix[t + 1] * d[t];
      } else {
#pragma unroll
        for (int k = 0; k < most; ++k) {
          if (row < r.states && k < r.states) product += matrix[row * r.states + k] * d[k];
        }
      }
      s[row] = r.steady[row] * edge + product;
    }
  }

  /// The state with which a pass starts; `direction` is 1 forward, -1 backward.
  template <class T>
  __device__ void begin(const Coefficients<Real>& r, const Source<T>& line, int direction) {
    const std::int64_t end = direction > 0 ? 0 : line.length - 1;
    const Real edge = r.border == engine::ghost_constant
                          ? r.value
                          : line.at_or_beyond(r, end - direction * r.warmup);
    start(r, edge);
    if (r.warmup == 0) return;
    for (std::int64_t places = r.warmup; places > 0; --places) {
      update(r, line.at_or_beyond(r, end - direction * places));
    }
    map(r, r.wrap, edge);
  }

  /// Without `out` only the state goes on.
  template <class T>
  __device__ void pass(const Coefficients<Real>& r, const Source<T>& in, int direction, char* out,
                       std::int64_t out_step) {
    std::int64_t i = direction > 0 ? 0 : in.length - 1;
    for (std::int64_t n = 0; n < in.length; ++n, i += direction) {
      const Real x = in.template at<Real>(i);
      Real* pixel = out == nullptr ? nullptr : reinterpret_cast<Real*>(out + i * out_step);
      if (Sum && direction < 0 && pixel != nullptr) *pixel = weighted(r, r.backward);
      update(r, x);
      if (Sum && direction > 0 && pixel != nullptr) *pixel += weighted(r, r.forward);
      if (!Sum && pixel != nullptr) *pixel = s[0];
    }
  }

  __device__ void read(const Coefficients<Real>& r, const char* from, std::int64_t step) {
#pragma unroll
    for (int k = 0; k < most; ++k) {
      s[k] = k < r.states ? *reinterpret_cast<const Real*>(from + k * step) : Real(0);
    }
  }
  __device__ void write(const Coefficients<Real>& r, char* to, std::int64_t step) const {
#pragma unroll
    for (int k = 0; k < most; ++k) {
      if (k < r.states) *reinterpret_cast<Real*>(to + k * step) = s[k];
    }
  }
};

template <class In, class Real, bool Sum>
__global__ void scan_lines(LineLayout in, LineLayout out, std::int64_t length, std::int64_t count,
                           Coefficients<Real> r) {
  const std::int64_t index = thread_index();
  if (index >= count) return;
  const Source<In> line{line_of(in, index), in.lines.step, length};
  char* to = line_of(out, index);
  States<Sum, Real> states;
  // Before anything is written: `out` may be `in`.
  const Real edge = r.border == engine::ghost_constant ? r.value : line.template at<Real>(0);
  states.begin(r, line, -1);
  states.pass(r, line, -1, to, out.lines.step);
  if constexpr (Sum) {
    states.begin(r, line, 1);
    states.pass(r, line, 1, to, out.lines.step);
  } else {
    const Source<Real> result{to, out.lines.step, length};
    if (r.border == engine::ghost_periodic) {
      states.begin(r, result, 1);
    } else {
      states.map(r, r.turn, edge);
    }
    states.pass(r, result, 1, to, out.lines.step);
  }
}

template <class In, class Real, bool Sum>
__global__ void scan_part(LineLayout in, LineLayout out, LineLayout state, int direction,
                          std::int64_t length, std::int64_t count, Coefficients<Real> r) {
  const std::int64_t index = thread_index();
  if (index >= count) return;
  const Source<In> line{line_of(in, index), in.lines.step, length};
  char* to = out.block == nullptr ? nullptr : line_of(out, index);
  char* of_line = line_of(state, index);
  States<Sum, Real> states;
  states.read(r, of_line, state.lines.step);
  states.pass(r, line, direction, to, out.lines.step);
  states.write(r, of_line, state.lines.step);
}

template <class In, class Real, bool Sum>
__global__ void scan_state(LineLayout edge, LineLayout state, ScanMap map, std::int64_t count,
                           Coefficients<Real> r) {
  const std::int64_t index = thread_index();
  if (index >= count) return;
  const Real value = load<Real>(*reinterpret_cast<const In*>(line_of(edge, index)));
  char* of_line = line_of(state, index);
  States<Sum, Real> states;
  states.read(r, of_line, state.lines.step);
  if (map == ScanMap::start) {
    states.start(r, value);
  } else {
    states.map(r, map == ScanMap::wrap ? r.wrap : r.turn, value);
  }
  states.write(r, of_line, state.lines.step);
}

}  // namespace

cudaError_t launch_scan(cudaStream_t stream, const LineLayout& in, const LineLayout& out,
                        std::int64_t length, std::int64_t count, const ScanNumbers& numbers) {
  return with_line_types(in.type, out.type, [&](auto pixel, auto real) {
    using In = decltype(pixel);
    using Real = decltype(real);
    const auto kernel = numbers.is_sum ? scan_lines<In, Real, true> : scan_lines<In, Real, false>;
    kernel<<<blocks_for(count, line_threads), line_threads, 0, stream>>>(
        in, out, length, count, Coefficients<Real>(numbers));
  });
}

cudaError_t launch_scan_part(cudaStream_t stream, const LineLayout& in, const LineLayout& out,
                             const LineLayout& state, int direction, std::int64_t length,
                             std::int64_t count, const ScanNumbers& numbers) {
  return with_line_types(in.type, state.type, [&](auto pixel, auto real) {
    using In = decltype(pixel);
    using Real = decltype(real);
    const auto kernel = numbers.is_sum ? scan_part<In, Real, true> : scan_part<In, Real, false>;
    kernel<<<blocks_for(count, line_threads), line_threads, 0, stream>>>(
        in, out, state, direction, length, count, Coefficients<Real>(numbers));
  });
}

cudaError_t launch_scan_state(cudaStream_t stream, const LineLayout& edge, const LineLayout& state,
                              ScanMap map, std::int64_t count, const ScanNumbers& numbers) {
  return with_line_types(edge.type, state.type, [&](auto pixel, auto real) {
    using In = decltype(pixel);
    using Real = decltype(real);
    const auto kernel = numbers.is_sum ? scan_state<In, Real, true> : scan_state<In, Real, false>;
    kernel<<<blocks_for(count, line_threads), line_threads, 0, stream>>>(
        edge, state, map, count, Coefficients<Real>(numbers));
  });
}

}  // namespace meander::cuda
