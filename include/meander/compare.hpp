// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <optional>

#include "meander/control.hpp"
#include "meander/image.hpp"

namespace meander {

/// Where two images first differ by more than the tolerance, in the order channel, z, y, x.
struct Difference {
  /// In pixels.
  std::int64_t x = 0, y = 0, z = 0;
  int channel = 0;  ///< From 0 on.
  /// The two numbers.
  double a = 0, b = 0;
};

/// What two images differ by, in their own units.
struct Comparison {
  /// Largest |a - b|; infinite when one of a pair is NaN or infinite and the other not.
  double max = 0;
  /// Root of the mean of (a - b)² over the pairs of finite numbers; infinite when `max` is.
  double rms = 0;
  /// 20·log10(peak / rms); peak is the largest value of a's type if that is an integer, else the
  /// spread of a's finite values. +infinity when the images agree, -infinity when `max` is
  /// infinite.
  double psnr = 0;
  /// Intersection over union of the pixels above 0, when both images are masks: each holds no
  /// values but 0 and one above it.
  std::optional<double> iou;
  std::optional<Difference> first;  ///< None where the images agree.
  std::int64_t different = 0;       ///< Numbers that differ by more than the tolerance.
};

/// Compares two images of equal shape and channel count, whatever their pixel types, piece by
/// piece. Two NaN, and two infinities of one sign, count as equal.
class Comparer {
 public:
  /// `tolerance` is absolute, in the images' own units, and at least 0. Throws InvalidArgument when
  /// the descriptions do not match.
  Comparer(const Description& a, const Description& b, double tolerance);

  /// Slabs of both images (see meander/io.hpp), in host memory, the first slice or row being
  /// `begin`. Serial, one pass, a cancel point every row. Throws InvalidArgument for slabs of other
  /// images.
  void add(const Image& a, const Image& b, std::int64_t begin, const Control& control = {});
  Comparison result() const;  ///< Of all slabs so far.

 private:
  void check_slab(const Image& slab, std::int64_t begin) const;
  void add_row(const double* a, const double* b, std::int64_t count, Difference place);

  /// Which values an image has, as far as it matters for being a mask.
  struct MaskValues {
    std::optional<double> high;
    bool is_mask = true;
    void add(double value);
  };

  Description description_;
  double tolerance_;
  double max_ = 0, sum_of_squares_ = 0;
  double lowest_, highest_;  // of a's finite values
  std::int64_t finite_pairs_ = 0, different_ = 0;
  std::int64_t both_ = 0, either_ = 0;
  MaskValues mask_a_, mask_b_;
  std::optional<Difference> first_;
};

/// The whole of two host images at once.
Comparison compare(const Image& a, const Image& b, double tolerance = 0,
                   const Control& control = {});

/// By how many of a's shortest steps from pixel to pixel two images lie apart in the world, at the
/// corners where it is most; nothing when one of them says nothing, or their units do not go
/// together.
std::optional<double> displacement(const Description& a, const Description& b);

/// Whether pixels have the same size, whatever their units, to the precision that files of float32
/// have (1e-6 of it).
bool has_same_spacing(const Description& a, const Description& b);

}  // namespace meander
