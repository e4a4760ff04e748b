// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/png/guard.hpp"

#include <cstdio>

namespace meander::io {

void png_fail(png_structp png, png_const_charp text) {
  auto* failure = static_cast<PngFailure*>(png_get_error_ptr(png));
  failure->no_memory = errno == ENOMEM;
  std::snprintf(failure->text, sizeof failure->text, "%s", text);
  png_longjmp(png, 1);
}

void png_ignore_warning(png_structp, png_const_charp) {}

}  // namespace meander::io
