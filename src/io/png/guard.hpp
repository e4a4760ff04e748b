// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <png.h>

#include <cerrno>
#include <csetjmp>

namespace meander::io {

/// The last failure, for `png_create_*_struct`'s error pointer.
struct PngFailure {
  char text[160] = "";
  bool no_memory = false;
};

/// libpng leaves a failed call by longjmp, which skips destructors, and no exception may pass
/// through it. So all calls into it go through `guarded`, in lambdas that own nothing, and
/// callbacks report by png_error after their own handlers have ended.
template <class Calls>
[[nodiscard]] bool guarded(png_structp png, const Calls& calls) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  errno = 0;
  calls();
  if (errno != ENOMEM) return true;
  // It goes on without a chunk that it found no memory for, and the spacing may be in there.
  static_cast<PngFailure*>(png_get_error_ptr(png))->no_memory = true;
  return false;
}

[[noreturn]] void png_fail(png_structp png, png_const_charp text);
void png_ignore_warning(png_structp png, png_const_charp text);

}  // namespace meander::io
