// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace meander::cpu {

/// While it lives, numbers below the smallest normal one count as 0 on this thread. The tail of a
/// recursion decays through them, and x86 takes a hundred times longer over each. (Arm does not.)
class FlushDenormals {
#if defined(__x86_64__)
 public:
  FlushDenormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | flush_results | flush_operands); }
  ~FlushDenormals() { _mm_setcsr(before_); }

 private:
  static constexpr unsigned flush_results = 0x8000, flush_operands = 0x0040;
  const unsigned before_;
#else
 public:
  FlushDenormals() {}
  ~FlushDenormals() {}
#endif
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;
};

}  // namespace meander::cpu
