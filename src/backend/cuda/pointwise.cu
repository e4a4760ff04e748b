// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// A thread takes eight numbers of a row.
#include "backend/cuda/pixel.cuh"

namespace meander::cuda {
namespace {

/// By the ratio of the smaller to the larger: squares of large or small numbers leave the range.
template <class Real>
__device__ Real norm(Real a, Real b) {
  const Real left = fabs(a), right = fabs(b);
  const Real large = left > right ? left : right, small = left > right ? right : left;
  const Real ratio = small == large ? Real(1) : small / large;
  return large * sqrt(1 + ratio * ratio);
}

/// NaN stays NaN.
template <class Real>
__device__ Real limited_growth(Real a) {
  constexpr Real limit = 0x1p20;
  const Real growth = expm1(a);
  return growth > limit ? limit : growth;
}

template <class Real>
__device__ Real combined(PointOperation operation, Real a, Real b, Real c) {
  switch (operation) {
    case PointOperation::sum:
      return a + b;
    case PointOperation::norm:
      return norm(a, b);
    case PointOperation::weight:
      return isfinite(a) ? b : Real(0);
    case PointOperation::weighted:
      return isfinite(a) ? a * b : Real(0);
    case PointOperation::quotient:
      return b > Real(0x1p-20) ? a / b : static_cast<Real>(nan(""));
    case PointOperation::select:
      return c > 0 ? a : b;
    case PointOperation::difference:
      return a - b;
    case PointOperation::product:
      return a * b;
    case PointOperation::add_square:
      return fma(b, b, a);
    case PointOperation::direction:
      return b > 0 ? a / b : Real(0);
    case PointOperation::growth:
      return limited_growth(a);
    default:
      return sqrt(a);
  }
}

template <class Real>
__global__ void combine(PointOperation operation, Layout a, Layout b, Layout c, Layout out) {
  const std::int64_t begin = first_column();
  for (std::int64_t row = first_row(); row < out.rows; row += rows_at_once()) {
    const Real* first = reinterpret_cast<const Real*>(row_of(a, row));
    const Real* second = reinterpret_cast<const Real*>(row_of(b, row));
    const Real* third = operation == PointOperation::select
                            ? reinterpret_cast<const Real*>(row_of(c, row))
                            : nullptr;
    Real* result = reinterpret_cast<Real*>(row_of(out, row));
    // Loads first: what is stored may be what is loaded next, as far as the compiler knows.
    Real a_held[columns_per_thread], b_held[columns_per_thread], c_held[columns_per_thread] = {};
#pragma unroll
    for (int i = 0; i < columns_per_thread; ++i) {
      const std::int64_t x = begin + i * row_lanes;
      if (x >= out.width) break;
      a_held[i] = first[x];
      b_held[i] = second[x];
      if (third != nullptr) c_held[i] = third[x];
    }
#pragma unroll
    for (int i = 0; i < columns_per_thread; ++i) {
      const std::int64_t x = begin + i * row_lanes;
      if (x < out.width) result[x] = combined(operation, a_held[i], b_held[i], c_held[i]);
    }
  }
}

}  // namespace

cudaError_t launch_pointwise(cudaStream_t stream, int type, PointOperation operation,
                             const Layout& a, const Layout& b, const Layout& c, const Layout& out) {
  const auto kernel = is_double(type) ? combine<double> : combine<float>;
  const RowGrid grid(out);
  kernel<<<grid.blocks, grid.threads, 0, stream>>>(operation, a, b, c, out);
  return cudaGetLastError();
}

}  // namespace meander::cuda
