// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "meander/io.hpp"
#include "meander/smooth.hpp"

/// Smoothing from file to file: at once where memory holds the image, in slabs otherwise.
namespace meander {

/// What is smoothed, and what becomes of it.
struct SmoothFile {
  io::Reader* image = nullptr;              ///< Not null; it outlives the call.
  io::Reader* mask = nullptr;               ///< Of one channel and the image's shape, or none.
  PixelType written = PixelType::f32;       ///< Values are rounded and saturated.
  std::filesystem::path spill_folder = {};  ///< See SmoothStream; empty: the current one.
  /// Called with the computation where the image is done at once: it must call it, once or, to
  /// measure it, several times. Without this function it is called once.
  std::function<void(const std::function<void()>& compute)> timed = {};

  /// What is written, and what a Writer for it is opened with.
  Description output(const SmoothOptions& options) const;
};

/// Bytes of device memory that smoothing it at once holds at its peak.
std::int64_t estimate_bytes(const SmoothFile& file, const SmoothOptions& options,
                            const Device& device);
/// Whether the device, and the host beside it, have so much to hand out now.
bool fits_at_once(const SmoothFile& file, const SmoothOptions& options, const Device& device);

/// How a file goes through.
struct SmoothFilePlan {
  bool in_slabs = false;  ///< Whether memory does not hold the whole image.
  SmoothSlabs slabs;      ///< At once: one of the whole length.
};
/// Throws what `smooth` would throw for such an image, and OutOfMemory when not even slabs fit.
SmoothFilePlan plan_smooth_file(const SmoothFile& file, const SmoothOptions& options,
                                const Device& device);

/// What it took, and what the written type could not hold.
struct SmoothFileFigures {
  /// Seconds: of reading, of computing, of writing (conversion to the written type included) and
  /// on the temporary file of slabs.
  double read = 0, compute = 0, write = 0, spill = 0;
  std::int64_t values = 0;     ///< Numbers that were written.
  std::int64_t saturated = 0;  ///< Of those: beyond the written type (see count_saturated).
  /// NaN and infinities of the result, because the image holds some and they propagate.
  std::int64_t nonfinite = 0;
};

/// Reads, smooths and appends all to `writer`, which its owner finishes. Of the plan it is
/// `in_slabs` that counts; slabs are cut by the memory that is left then. The result is the same,
/// to the bit, either way (but see SmoothStream). At once a GPU hands out a part of the result
/// while the last one is written.
SmoothFileFigures smooth_file(const SmoothFile& file, const SmoothFilePlan& plan,
                              io::Writer& writer, const SmoothOptions& options,
                              const Device& device, const Control& control = {});

}  // namespace meander
