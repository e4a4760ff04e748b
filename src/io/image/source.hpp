// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <utility>

#include "io/file/atomic_file.hpp"
#include "io/file/input_file.hpp"
#include "io/file/progress.hpp"
#include "meander/io.hpp"

namespace meander::io {

/// The first pixel of a part of an image, in the frame it is taken from.
struct Corner {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;
  int channel = 0;  ///< Always 0 unless the source `picks_channels`.
  std::int64_t frame = 0;
};

/// Whether slices might be frames: a format or the file itself says no, an array is a volume unless
/// somebody knows better, and pages may be either.
enum class Slicing { said, assumed, unknown };

/// An open input of one format. A constructor fills `description` and has checked it with
/// check_claim.
class Reader::Source {
 public:
  explicit Source(InputFile opened) : file(std::move(opened)) {}
  virtual ~Source() = default;

  /// Fills all of `out`, the part of the image that starts at `from`.
  virtual void read(const Corner& from, Image& out, Progress& progress) = 0;

  InputFile file;
  Description description;  ///< Of one frame, as it is stored.
  Film film;
  Slicing slicing = Slicing::said;
  /// Whether `read` can be asked for some of the channels; otherwise it gets all of them.
  bool picks_channels = false;
  /// How the pixels that `read` delivers lie in the image that is seen (orientation.hpp).
  int orientation = 1;
  bool has_alpha = false;     ///< Whether the last channel is opacity.
  std::string print_density;  ///< As Reader::print_density has it.
  std::string format;         ///< Name of the format, set by whoever opened it.
};

/// An output of one format under way. A constructor writes what precedes the pixels.
class Writer::Sink {
 public:
  Sink(AtomicFile opened, const Description& announced, const Film& announced_film = {})
      : file(std::move(opened)), description(announced), film(announced_film) {}
  virtual ~Sink() = default;

  std::int64_t length() const { return slab_length(description.shape) * film.frames; }

  virtual void append(const Image& slab, Progress& progress) = 0;
  /// Writes what follows the pixels.
  virtual void complete() {}

  AtomicFile file;
  const Description description;  ///< Of one frame.
  const Film film;
  std::int64_t done = 0;  ///< Length of the slabs appended so far, those of all frames.
};

}  // namespace meander::io
