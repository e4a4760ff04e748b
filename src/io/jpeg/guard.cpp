// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/jpeg/guard.hpp"

#include <jerror.h>

namespace meander::io {
namespace {

[[noreturn]] void leave(j_common_ptr jpeg) {
  auto& failure = *static_cast<JpegFailure*>(jpeg->err);
  failure.format_message(jpeg, failure.text);
  std::longjmp(failure.place, 1);
}

/// Warnings after which pixels are guessed, or are what the buffer held before, are errors. Others
/// tell of oddities that every program reads the same way.
void judge_message(j_common_ptr jpeg, int level) {
  if (level >= 0) return;
  switch (jpeg->err->msg_code) {
    case JWRN_ARITH_BAD_CODE:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_JPEG_EOF:
    case JWRN_MUST_RESYNC:
      leave(jpeg);
    default:
      break;
  }
}

void stay_silent(j_common_ptr) {}

}  // namespace

JpegFailure::JpegFailure() : jpeg_error_mgr{} {
  jpeg_std_error(this);
  error_exit = leave;
  emit_message = judge_message;
  output_message = stay_silent;
}

bool JpegFailure::is_no_memory() const { return msg_code == JERR_OUT_OF_MEMORY; }

bool JpegFailure::is_other_kind() const {
  switch (msg_code) {
#if JPEG_LIB_VERSION < 70  // later ones decode it
    case JERR_ARITH_NOTIMPL:
#endif
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_COMPONENT_COUNT:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_IMAGE_TOO_BIG:
    case JERR_SOF_UNSUPPORTED:
      return true;
    default:
      return false;
  }
}

}  // namespace meander::io
