// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "backend/cpu/kernels.hpp"

namespace meander::cpu {

/// Names of the levels this processor can run, the best last.
std::vector<std::string> usable_levels();

/// The row functions of the best level, or of the one the environment variable MEANDER_ISA names.
/// Throws InvalidArgument when that is unknown or beyond this processor.
const Kernels& kernels();

template <class Real>
const ScanKernels<Real>& scan_kernels() {
  if constexpr (sizeof(Real) == sizeof(float)) {
    return *kernels().scan_float;
  } else {
    return *kernels().scan_double;
  }
}

template <class Real>
const StencilKernels<Real>& stencil_kernels() {
  if constexpr (sizeof(Real) == sizeof(float)) {
    return *kernels().stencil_float;
  } else {
    return *kernels().stencil_double;
  }
}

template <class Real>
const GridKernels<Real>& grid_kernels() {
  if constexpr (sizeof(Real) == sizeof(float)) {
    return *kernels().grid_float;
  } else {
    return *kernels().grid_double;
  }
}

}  // namespace meander::cpu
