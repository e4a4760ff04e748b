// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstdio>  // jpeglib.h uses FILE and does not include it

#include <jpeglib.h>

namespace meander::io {

/// libjpeg's error handler, which by default prints and ends the process. This one keeps the
/// message and leaves the failed call by longjmp, which skips destructors, so all calls go through
/// `guarded`, in lambdas that own nothing.
struct JpegFailure : jpeg_error_mgr {
  JpegFailure();
  std::jmp_buf place;
  char text[JMSG_LENGTH_MAX] = "";

  bool is_no_memory() const;
  /// Whether the file is sound but of a kind that libjpeg does not decode.
  bool is_other_kind() const;
};

template <class Calls>
[[nodiscard]] bool guarded(JpegFailure& failure, const Calls& calls) {
  if (setjmp(failure.place) != 0) return false;
  calls();
  return true;
}

}  // namespace meander::io
