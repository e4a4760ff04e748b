// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Compiled once per instruction-set level; see kernels.hpp for what may be included here.
#include "backend/cpu/scan_kernels.hpp"

#include "backend/cpu/vector.hpp"

namespace meander::cpu {
namespace {

/// One step of the cascade on one vector of lines: the recursion is a chain of dependent
/// operations, so passes keep several vectors in flight.
template <int Order, class V>
[[gnu::always_inline]] inline void cascade_step(V x, V (&s)[Order], const V (&negative_feed)[Order],
                                                V gain) {
  // What does not wait for the last result comes first. Beginning with s itself saves an addition
  // and, fused, rounds no coefficient to 1 - feed.
  V top = mad(negative_feed[Order - 1], s[Order - 1], s[Order - 1]);
  unrolled<Order - 2>([&](auto j) __attribute__((always_inline)) {
    top = mad(negative_feed[Order - 2 - j], s[Order - 2 - j], top);
  });
  s[Order - 1] = mad(gain, x - s[0], top);
  unrolled<Order - 1>([&](auto j)
                          __attribute__((always_inline)) { s[Order - 2 - j] += s[Order - 1 - j]; });
}

/// s - Q·s + x, the change added to s last: on a constant the change is 0 and nothing drifts.
template <int States, class V>
[[gnu::always_inline]] inline void sum_step(V x, V (&s)[States], const V (&negative_feed)[States],
                                            const V (&feed)[States]) {
  unrolled<States / 2>([&](auto t) __attribute__((always_inline)) {
    const V re = s[2 * t], im = s[2 * t + 1];
    s[2 * t] = re + mad(feed[2 * t + 1], im, mad(negative_feed[2 * t], re, x));
    s[2 * t + 1] = im + mad(negative_feed[2 * t], im, negative_feed[2 * t + 1] * re);
  });
}

template <int States, class V>
[[gnu::always_inline]] inline V weighted_states(const V (&s)[States], const V (&weights)[States],
                                                V start) {
  V result = start;
  unrolled<States>([&](auto k)
                       __attribute__((always_inline)) { result = mad(weights[k], s[k], result); });
  return result;
}

enum class Work { cascade, cascade_state, sum_backward, sum_forward, sum_state };
constexpr bool is_cascade(Work work) {
  return work == Work::cascade || work == Work::cascade_state;
}

/// Vectors in flight: as many as the registers of the level hold beside the coefficients, and as
/// the panel has.
template <class Real, Work work, int States>
constexpr int vectors_in_flight() {
#if defined(__AVX512F__) || defined(__ARM_NEON)
  constexpr int room = is_cascade(work) ? 24 / States : States > 4 ? 2 : 4;
#else
  constexpr int room = is_cascade(work) ? 12 / States : 2;
#endif
  constexpr int there = panel_lanes / vector_lanes<Real>;
  constexpr int most = room < there ? room : there;
  return most >= 8 ? 8 : most >= 4 ? 4 : most >= 2 ? 2 : 1;
}

/// The step of one vector at one place.
template <Work work, int States, class Real, class V>
[[gnu::always_inline]] inline void step(const Real* in, const Real* add, Real* out, V (&s)[States],
                                        const V (&feed)[States], const V (&negative_feed)[States],
                                        const V (&weights)[States]) {
  const V x = load_vector(in);
  if constexpr (is_cascade(work)) {
    cascade_step<States>(x, s, negative_feed, feed[0]);
    if constexpr (work == Work::cascade) store_vector(out, s[0]);
  } else if constexpr (work == Work::sum_backward) {
    const V result = weighted_states<States>(s, weights, V{});
    sum_step<States>(x, s, negative_feed, feed);
    store_vector(out, result);
  } else {
    sum_step<States>(x, s, negative_feed, feed);
    if constexpr (work == Work::sum_forward)
      store_vector(out, weighted_states<States>(s, weights, load_vector(add)));
  }
}

template <class Real, Work work, int States, int Flight>
[[gnu::noinline]] void run_lanes(const ScanRows<Real> rows, const ScanCoefficients<Real>& c,
                                 int lane) {
  using V = Vector<Real>;
  constexpr int lanes = vector_lanes<Real>;
  V s[Flight][States], feed[States], negative_feed[States], weights[States];
  unrolled<States>([&](auto k) __attribute__((always_inline)) {
    feed[k] = broadcast(c.feed[k]);
    negative_feed[k] = broadcast(-c.feed[k]);
    weights[k] = broadcast(work == Work::sum_forward ? c.forward[k] : c.backward[k]);
    unrolled<Flight>([&](auto f) __attribute__((always_inline)) {
      s[f][k] = load_vector(rows.state + k * panel_lanes + lane + f * lanes);
    });
  });
  const Real* in = rows.in + lane;
  const Real* add = rows.add + lane;
  Real* out = rows.out + lane;
  for (std::int64_t n = rows.count; n > 0; --n) {
    unrolled<Flight>([&](auto f) __attribute__((always_inline)) {
      step<work, States>(in + f * lanes, add + f * lanes, out + f * lanes, s[f], feed,
                         negative_feed, weights);
    });
    in += rows.in_stride;
    add += rows.add_stride;
    out += rows.out_stride;
  }
  unrolled<States>([&](auto k) __attribute__((always_inline)) {
    unrolled<Flight>([&](auto f) __attribute__((always_inline)) {
      store_vector(rows.state + k * panel_lanes + lane + f * lanes, s[f][k]);
    });
  });
}

template <class Real, Work work, int States>
void run(const ScanRows<Real>& rows, const ScanCoefficients<Real>& coefficients) {
  constexpr int flight = vectors_in_flight<Real, work, States>();
  constexpr int step = flight * vector_lanes<Real>;
  static_assert(panel_lanes % step == 0);
  for (int lane = 0; lane < panel_lanes; lane += step)
    run_lanes<Real, work, States, flight>(rows, coefficients, lane);
}

/// Asks for some rows to be brought near: they are short pieces of memory far apart, which the
/// processor does not foresee.
template <class Real>
inline void fetch_rows(const Real* const* rows, int first, int count, std::int64_t columns) {
  constexpr std::int64_t numbers_per_line = 64 / static_cast<std::int64_t>(sizeof(Real));
  for (int k = first; k < first + count && k < panel_lanes; ++k)
    for (std::int64_t i = 0; i < columns; i += numbers_per_line) __builtin_prefetch(rows[k] + i);
}

template <class Real>
void to_panel(const Real* const* rows, std::int64_t columns, Real* panel) {
  constexpr int lanes = vector_lanes<Real>;
  const std::int64_t whole = columns / lanes * lanes;
  for (int j = 0; j < panel_lanes; j += lanes) {
    fetch_rows(rows, j + lanes, lanes, columns);
    const Real* from[lanes];
    unrolled<lanes>([&](auto k) __attribute__((always_inline)) { from[k] = rows[j + k]; });
    Real* to = panel + j;
    for (std::int64_t i = 0; i < whole; i += lanes, to += lanes * panel_lanes) {
      Vector<Real> square[lanes];
      unrolled<lanes>([&](auto k)
                          __attribute__((always_inline)) { square[k] = load_vector(from[k] + i); });
      transpose<Real>(square);
      unrolled<lanes>([&](auto k) __attribute__((always_inline)) {
        store_vector(to + k * panel_lanes, square[k]);
      });
    }
    for (std::int64_t i = whole; i < columns; ++i)
      for (int k = 0; k < lanes; ++k) panel[i * panel_lanes + j + k] = rows[j + k][i];
  }
}

template <class Real>
void from_panel(const Real* panel, std::int64_t columns, Real* const* rows) {
  constexpr int lanes = vector_lanes<Real>;
  const std::int64_t whole = columns / lanes * lanes;
  for (int j = 0; j < panel_lanes; j += lanes) {
    Real* to[lanes];
    unrolled<lanes>([&](auto k) __attribute__((always_inline)) { to[k] = rows[j + k]; });
    const Real* from = panel + j;
    for (std::int64_t i = 0; i < whole; i += lanes, from += lanes * panel_lanes) {
      Vector<Real> square[lanes];
      unrolled<lanes>([&](auto k) __attribute__((always_inline)) {
        square[k] = load_vector(from + k * panel_lanes);
      });
      transpose<Real>(square);
      unrolled<lanes>([&](auto k)
                          __attribute__((always_inline)) { store_vector(to[k] + i, square[k]); });
    }
    for (std::int64_t i = whole; i < columns; ++i)
      for (int k = 0; k < lanes; ++k) rows[j + k][i] = panel[i * panel_lanes + j + k];
  }
}

/// `Rows` results at a time, so that each input is loaded once for all of them. Every result adds
/// its taps in order, whatever its neighbours.
template <class Real, int Rows>
[[gnu::noinline]] void fir_rows(const Real* in, const Real* weights, std::int64_t taps, Real* out,
                                std::ptrdiff_t out_stride) {
  using V = Vector<Real>;
  constexpr int lanes = vector_lanes<Real>;
  constexpr int flight = panel_lanes / lanes < 4 ? panel_lanes / lanes : 4;
  for (int lane = 0; lane < panel_lanes; lane += flight * lanes) {
    V sum[Rows][flight] = {};
    // Row i of the input is tap i - r of result r.
    const auto add = [&](std::int64_t i, auto r) __attribute__((always_inline)) {
      const V weight = broadcast(weights[i - r]);
      unrolled<flight>([&](auto f) __attribute__((always_inline)) {
        sum[r][f] = mad(weight, load_vector(in + i * panel_lanes + lane + f * lanes), sum[r][f]);
      });
    };
    const auto add_some = [&](std::int64_t i) __attribute__((always_inline)) {
      unrolled<Rows>([&](auto r) __attribute__((always_inline)) {
        if (i - r >= 0 && i - r < taps) add(i, r);
      });
    };
    std::int64_t i = 0;
    for (; i < Rows - 1; ++i) add_some(i);
    for (; i < taps; ++i) unrolled<Rows>([&](auto r) __attribute__((always_inline)) { add(i, r); });
    for (; i < taps + Rows - 1; ++i) add_some(i);
    unrolled<Rows>([&](auto r) __attribute__((always_inline)) {
      unrolled<flight>([&](auto f) __attribute__((always_inline)) {
        store_vector(out + r * out_stride + lane + f * lanes, sum[r][f]);
      });
    });
  }
}

template <class Real>
void fir(const Real* in, std::int64_t count, const Real* weights, std::int64_t taps, Real* out,
         std::ptrdiff_t out_stride) {
  constexpr int together = 4;
  std::int64_t n = 0;
  for (; n + together <= count; n += together)
    fir_rows<Real, together>(in + n * panel_lanes, weights, taps, out + n * out_stride, out_stride);
  for (; n < count; ++n)
    fir_rows<Real, 1>(in + n * panel_lanes, weights, taps, out + n * out_stride, out_stride);
}

template <class Real>
constexpr ScanKernels<Real> all_kernels() {
  return {
      .cascade = {nullptr, nullptr, nullptr, run<Real, Work::cascade, 3>,
                  run<Real, Work::cascade, 4>, run<Real, Work::cascade, 5>},
      .cascade_state = {nullptr, nullptr, nullptr, run<Real, Work::cascade_state, 3>,
                        run<Real, Work::cascade_state, 4>, run<Real, Work::cascade_state, 5>},
      .sum_backward = {nullptr, nullptr, run<Real, Work::sum_backward, 2>, nullptr,
                       run<Real, Work::sum_backward, 4>, nullptr, run<Real, Work::sum_backward, 6>,
                       nullptr, run<Real, Work::sum_backward, 8>},
      .sum_forward = {nullptr, nullptr, run<Real, Work::sum_forward, 2>, nullptr,
                      run<Real, Work::sum_forward, 4>, nullptr, run<Real, Work::sum_forward, 6>,
                      nullptr, run<Real, Work::sum_forward, 8>},
      .sum_state = {nullptr, nullptr, run<Real, Work::sum_state, 2>, nullptr,
                    run<Real, Work::sum_state, 4>, nullptr, run<Real, Work::sum_state, 6>, nullptr,
                    run<Real, Work::sum_state, 8>},
      .to_panel = to_panel<Real>,
      .from_panel = from_panel<Real>,
      .fir = fir<Real>};
}

}  // namespace

namespace MEANDER_ISA {

extern const ScanKernels<float> scan_kernels_float;
const ScanKernels<float> scan_kernels_float = all_kernels<float>();
extern const ScanKernels<double> scan_kernels_double;
const ScanKernels<double> scan_kernels_double = all_kernels<double>();

}  // namespace MEANDER_ISA
}  // namespace meander::cpu
