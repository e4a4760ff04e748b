// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>

#include "session/session.hpp"

namespace meander::app {

struct SmoothVerbOptions : SmoothOptions {
  std::string mask;
  std::optional<PixelType> type;
  std::optional<std::int64_t> repeat;

  template <class Visitor>
  void describe(Visitor& v) {
    SmoothOptions::describe(v);
    v(mask, {.name = "mask",
             .help = "an image of the same shape: pixels where it is 0 neither count nor change"});
    v(type, {.name = "type", .help = "pixel type to write; values are rounded and saturated"});
    v(repeat, {.name = "repeat",
               .min = 1,
               .max = 1000,
               .help = "compute so many times after one warm-up and report each time"});
  }
};

/// One run of the verb: in memory at once if that fits the budget, in slabs otherwise.
class SmoothWork {
 public:
  /// `result` is what `smooth` makes, `output` what is written of it. Throws what `smooth` would
  /// throw for such an input, and OutOfMemory when not even slabs fit.
  SmoothWork(Session& session, const SmoothVerbOptions& options, io::Reader& reader,
             io::Reader* mask, const Description& result, const Description& output);

  bool in_slabs() const { return in_slabs_; }
  std::int64_t memory_bytes() const { return in_slabs_ ? slabs_.bytes : whole_bytes_; }
  const SmoothSlabs& slabs() const { return slabs_; }

  void run(io::Writer& writer);

 private:
  const Description* mask_description() const;  ///< Null without one.
  std::int64_t bytes_at_once(const Device& device) const;
  bool fits_at_once() const;
  SmoothStream stream(io::Writer* writer, const Control& control);
  double share_of_smoothing() const;
  void run_at_once(io::Writer& writer);
  void write_whole(const Image& out, io::Writer& writer);
  void run_in_slabs(io::Writer& writer);
  Image smoothed(const Image& image, const Image& mask, const Control& control);
  /// Counts what it cannot keep.
  Image as_output(const Image& result);

  Session& session_;
  const SmoothVerbOptions& options_;
  io::Reader& reader_;
  io::Reader* mask_;
  const Description result_;
  const Description output_;
  std::int64_t whole_bytes_ = 0;
  bool in_slabs_ = false;
  SmoothSlabs slabs_;
};

}  // namespace meander::app
