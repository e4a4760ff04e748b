// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Compiled once per instruction-set level; see kernels.hpp for what may be included here.
#include "backend/cpu/kernels.hpp"

#include "core/half.hpp"
#include "engine/saturation.hpp"

namespace meander::cpu {
namespace {

using engine::Partial;
using engine::Saturation;

struct HalfBits {
  std::uint16_t bits;
};

template <class A, class B>
inline constexpr bool same = false;
template <class A>
inline constexpr bool same<A, A> = true;

template <bool Wide>
struct RealOf {
  using type = float;
};
template <>
struct RealOf<true> {
  using type = double;
};

template <class T>
inline constexpr bool is_float = same<T, HalfBits> || same<T, float> || same<T, double>;

template <class Real, class T>
inline Real load(T value) {
  if constexpr (same<T, HalfBits>) {
    return half_to_float(value.bits);
  } else {
    return static_cast<Real>(value);
  }
}

inline float round_even(float value) { return __builtin_rintf(value); }
inline double round_even(double value) { return __builtin_rint(value); }

template <class T, class Real>
inline T store(Real value) {
  if constexpr (same<T, HalfBits>) {
    if constexpr (same<Real, double>) {
      return {double_to_half(value)};
    } else {
      return {float_to_half(value)};
    }
  } else if constexpr (is_float<T>) {
    return static_cast<T>(value);
  } else {
    // Selections, not branches, so that rows vectorise; NaN fails the first comparison and becomes
    // 0.
    Real rounded = round_even(value);
    rounded = rounded == rounded ? rounded : Real(0);
    rounded = rounded > Real(Saturation<T>::low) ? rounded : Real(Saturation<T>::low);
    rounded = rounded < Real(Saturation<T>::high) ? rounded : Real(Saturation<T>::high);
    return static_cast<T>(static_cast<std::int32_t>(rounded));
  }
}

template <class In, class Out>
void copy_row(const void* in, void* out, std::int64_t count, double, double) {
  const In* from = static_cast<const In*>(in);
  Out* to = static_cast<Out*>(out);
  if constexpr (same<In, Out>) {
    __builtin_memmove(to, from, static_cast<std::size_t>(count) * sizeof(In));
  } else {
    using Real = typename RealOf<same<In, double> || same<Out, double>>::type;
    for (std::int64_t i = 0; i < count; ++i) to[i] = store<Out>(load<Real>(from[i]));
  }
}

template <class In, class Out>
void affine_row(const void* in, void* out, std::int64_t count, double scale, double offset) {
  using Real = typename RealOf<same<In, double> || same<Out, double>>::type;
  const In* from = static_cast<const In*>(in);
  Out* to = static_cast<Out*>(out);
  const Real factor = static_cast<Real>(scale);
  const Real summand = static_cast<Real>(offset);
  for (std::int64_t i = 0; i < count; ++i)
    to[i] = store<Out>(load<Real>(from[i]) * factor + summand);
}

template <class T>
void reduce_integers(const T* row, std::int64_t count, Partial* partial) {
  std::int32_t least = row[0], greatest = row[0];
  std::int64_t sum = 0, magnitudes = 0, squares = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int32_t value = row[i];
    const std::int64_t wide = value;
    least = value < least ? value : least;
    greatest = value > greatest ? value : greatest;
    sum += wide;
    magnitudes += wide < 0 ? -wide : wide;
    squares += wide * wide;
  }
  partial->min = least < partial->min ? least : partial->min;
  partial->max = greatest > partial->max ? greatest : partial->max;
  partial->integer_sum += sum;
  partial->integer_magnitudes += magnitudes;
  partial->integer_squares += squares;
  partial->finite += count;
}

// Eight running sums at every level, added in a fixed tree, so that levels agree to the bit.
constexpr int lanes = 8;

struct Lanes {
  double sum[lanes] = {}, magnitudes[lanes] = {}, squares[lanes] = {}, finite[lanes] = {};
  double least[lanes], greatest[lanes];
  Lanes() {
    for (int l = 0; l < lanes; ++l) {
      least[l] = __builtin_inf();
      greatest[l] = -__builtin_inf();
    }
  }
  void add(int l, double value) {
    const bool keep = value - value == 0;  // false for NaN and infinities
    const double kept = keep ? value : 0;
    sum[l] += kept;
    magnitudes[l] += __builtin_fabs(kept);
    squares[l] += kept * kept;
    finite[l] += keep ? 1 : 0;
    const double low = keep ? value : __builtin_inf();
    const double high = keep ? value : -__builtin_inf();
    least[l] = low < least[l] ? low : least[l];
    greatest[l] = high > greatest[l] ? high : greatest[l];
  }
};

double tree_sum(const double* v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

template <class T>
void reduce_floats(const T* row, std::int64_t count, double shift, Partial* partial) {
  Lanes all;
  const std::int64_t whole = count / lanes * lanes;
  for (std::int64_t i = 0; i < whole; i += lanes) {
    for (int l = 0; l < lanes; ++l) all.add(l, load<double>(row[i + l]) - shift);
  }
  for (std::int64_t i = whole; i < count; ++i) {
    all.add(static_cast<int>(i - whole), load<double>(row[i]) - shift);
  }
  for (int l = 0; l < lanes; ++l) {
    partial->min = all.least[l] < partial->min ? all.least[l] : partial->min;
    partial->max = all.greatest[l] > partial->max ? all.greatest[l] : partial->max;
  }
  const auto finite = static_cast<std::int64_t>(tree_sum(all.finite));
  partial->sum += tree_sum(all.sum);
  partial->magnitudes += tree_sum(all.magnitudes);
  partial->squares += tree_sum(all.squares);
  partial->finite += finite;
  partial->nonfinite += count - finite;
}

/// A number that is not finite shows in the sum.
template <class Real>
bool squares_row(const void* in, std::int64_t count, Partial* partial) {
  const Real* row = static_cast<const Real*>(in);
  double squares[lanes] = {};
  const std::int64_t whole = count / lanes * lanes;
  for (std::int64_t i = 0; i < whole; i += lanes) {
    for (int l = 0; l < lanes; ++l) {
      const double value = row[i + l];
      squares[l] += value * value;
    }
  }
  for (std::int64_t i = whole; i < count; ++i) {
    const double value = row[i];
    squares[i - whole] += value * value;
  }
  const double total = tree_sum(squares);
  if (!(total - total == 0)) return false;
  partial->squares += total;
  partial->finite += count;
  return true;
}

template <class T>
void reduce_row(const void* in, std::int64_t count, [[maybe_unused]] double shift,
                Partial* partial) {
  if constexpr (is_float<T>) {
    reduce_floats(static_cast<const T*>(in), count, shift, partial);
  } else {
    reduce_integers(static_cast<const T*>(in), count, partial);
  }
}

inline bool is_finite(float value) { return value - value == 0; }
inline bool is_finite(double value) { return value - value == 0; }
inline float absolute(float value) { return __builtin_fabsf(value); }
inline double absolute(double value) { return __builtin_fabs(value); }
inline float root(float value) { return __builtin_sqrtf(value); }
inline double root(double value) { return __builtin_sqrt(value); }

// In the order of engine::Pointwise.
struct Sum {
  template <class Real>
  static Real of(Real a, Real b, Real) {
    return a + b;
  }
};
struct Norm {
  template <class Real>
  static Real of(Real a, Real b, Real) {
    // By the ratio of the smaller to the larger: squares of large or small numbers leave the range.
    const Real left = absolute(a), right = absolute(b);
    const Real large = left > right ? left : right, small = left > right ? right : left;
    const Real ratio = small == large ? Real(1) : small / large;
    return large * root(1 + ratio * ratio);
  }
};
struct Weight {
  template <class Real>
  static Real of(Real a, Real b, Real) {
    return is_finite(a) ? b : Real(0);
  }
};
struct Weighted {
  template <class Real>
  static Real of(Real a, Real b, Real) {
    return is_finite(a) ? a * b : Real(0);
  }
};
struct Quotient {
  template <class Real>
  static Real of(Real a, Real b, Real) {
    return b > Real(0x1p-20) ? a / b : Real(__builtin_nan(""));
  }
};
struct Select {
  template <class Real>
  static Real of(Real a, Real b, Real c) {
    return c > 0 ? a : b;
  }
};
struct Difference {
  template <class Real>
  static Real of(Real a, Real b, Real) {
    return a - b;
  }
};
struct Product {
  template <class Real>
  static Real of(Real a, Real b, Real) {
    return a * b;
  }
};
struct AddSquare {
  static float of(float a, float b, float) { return __builtin_fmaf(b, b, a); }
  static double of(double a, double b, double) { return __builtin_fma(b, b, a); }
};
struct Direction {
  template <class Real>
  static Real of(Real a, Real b, Real) {
    return b > 0 ? a / b : Real(0);
  }
};
struct Growth {
  template <class Real>
  static Real of(Real a, Real, Real) {
    const double growth = __builtin_expm1(static_cast<double>(a));
    return static_cast<Real>(growth > 0x1p20 ? 0x1p20 : growth);
  }
};
struct Root {
  template <class Real>
  static Real of(Real a, Real, Real) {
    return root(a);
  }
};

template <class Operation, class Real>
void pointwise_row(const void* a, const void* b, const void* c, void* out, std::int64_t count) {
  const Real* first = static_cast<const Real*>(a);
  const Real* second = static_cast<const Real*>(b);
  const Real* third = static_cast<const Real*>(c);
  Real* to = static_cast<Real*>(out);
  for (std::int64_t i = 0; i < count; ++i) to[i] = Operation::of(first[i], second[i], third[i]);
}

template <class T>
struct Word {
  using type = std::uint64_t;
};
template <>
struct Word<HalfBits> {
  using type = double;
};
template <>
struct Word<float> {
  using type = double;
};
template <>
struct Word<double> {
  using type = double;
};

template <class T>
void prefix_along(const void* in, void* out, std::int64_t count, bool exclusive) {
  const T* from = static_cast<const T*>(in);
  auto* to = static_cast<typename Word<T>::type*>(out);
  typename Word<T>::type total = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto before = total;
    total += load<typename Word<T>::type>(from[i]);
    to[i] = exclusive ? before : total;
  }
}

template <class T>
void prefix_step(const void* in, void* totals, void* out, std::int64_t count, bool exclusive) {
  const T* from = static_cast<const T*>(in);
  auto* total = static_cast<typename Word<T>::type*>(totals);
  auto* to = static_cast<typename Word<T>::type*>(out);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto before = total[i];
    total[i] += load<typename Word<T>::type>(from[i]);
    to[i] = exclusive ? before : total[i];
  }
}

}  // namespace

#define MEANDER_ROWS_TO_ALL(function, In)                                                \
  {                                                                                      \
    function<In, std::uint8_t>, function<In, std::uint16_t>, function<In, std::int16_t>, \
        function<In, HalfBits>, function<In, float>, function<In, double>                \
  }
#define MEANDER_ALL_ROWS(function)                                                             \
  {                                                                                            \
    MEANDER_ROWS_TO_ALL(function, std::uint8_t), MEANDER_ROWS_TO_ALL(function, std::uint16_t), \
        MEANDER_ROWS_TO_ALL(function, std::int16_t), MEANDER_ROWS_TO_ALL(function, HalfBits),  \
        MEANDER_ROWS_TO_ALL(function, float), MEANDER_ROWS_TO_ALL(function, double)            \
  }
#define MEANDER_OF_ALL(function)                                                                 \
  {                                                                                              \
    function<std::uint8_t>, function<std::uint16_t>, function<std::int16_t>, function<HalfBits>, \
        function<float>, function<double>                                                        \
  }
#define MEANDER_POINTWISE(Operation) \
  { pointwise_row<Operation, float>, pointwise_row<Operation, double> }
#define MEANDER_TEXT_OF(name) #name
#define MEANDER_TEXT(name) MEANDER_TEXT_OF(name)

namespace MEANDER_ISA {

extern const ScanKernels<float> scan_kernels_float;
extern const ScanKernels<double> scan_kernels_double;
extern const StencilKernels<float> stencil_kernels_float;
extern const StencilKernels<double> stencil_kernels_double;
extern const GridKernels<float> grid_kernels_float;
extern const GridKernels<double> grid_kernels_double;
extern const PackedKernels packed_kernels;
extern const ContourKernels contour_kernels;
extern const SnakeKernels snake_kernels;
extern const Kernels kernels;
const Kernels kernels = {
    MEANDER_TEXT(MEANDER_ISA),
    MEANDER_ALL_ROWS(copy_row),
    MEANDER_ALL_ROWS(affine_row),
    MEANDER_OF_ALL(reduce_row),
    {squares_row<float>, squares_row<double>},
    {MEANDER_POINTWISE(Sum), MEANDER_POINTWISE(Norm), MEANDER_POINTWISE(Weight),
     MEANDER_POINTWISE(Weighted), MEANDER_POINTWISE(Quotient), MEANDER_POINTWISE(Select),
     MEANDER_POINTWISE(Difference), MEANDER_POINTWISE(Product), MEANDER_POINTWISE(AddSquare),
     MEANDER_POINTWISE(Direction), MEANDER_POINTWISE(Growth), MEANDER_POINTWISE(Root)},
    MEANDER_OF_ALL(prefix_along),
    MEANDER_OF_ALL(prefix_step),
    &scan_kernels_float,
    &scan_kernels_double,
    &stencil_kernels_float,
    &stencil_kernels_double,
    &grid_kernels_float,
    &grid_kernels_double,
    &packed_kernels,
    &contour_kernels,
    &snake_kernels};

}  // namespace MEANDER_ISA
}  // namespace meander::cpu
