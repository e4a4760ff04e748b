// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "meander/control.hpp"
#include "meander/image.hpp"
#include "meander/outline.hpp"

/// How well objects agree with a truth, pixel by pixel.
namespace meander {

/// Distances between the outlines of two objects, in pixels: from every boundary pixel of either to
/// the nearest one of the other. Boundary pixels are those of an object with a pixel that is not of
/// it, or the border of the image, at one of their four sides.
struct BoundaryDistance {
  double mean = 0;           ///< Over the boundary pixels of both.
  double percentile_95 = 0;  ///< Linear between the two nearest ranks.
  double max = 0;            ///< The Hausdorff distance.
};

/// In the truth, what is not 0 belongs to an object.
struct TruthScore {
  std::int64_t common = 0;  ///< Pixels that belong to an object here and in the truth.
  std::int64_t either = 0;  ///< Here or there.
  /// Intersection over union of all pixels of objects; 1 where there are none.
  double iou() const {
    return either > 0 ? static_cast<double>(common) / static_cast<double>(either) : 1;
  }

  /// Object by object. Only of a truth whose values are whole numbers and not negative, of at most
  /// 65535 objects of ours, and of at most some million pairs of objects that share pixels.
  struct Objects {
    /// Objects of the truth whose intersection over union with one of ours is above one half, which
    /// is so of one of ours at most; and those for which there is none.
    std::int64_t found = 0, missed = 0;
    std::int64_t wrong = 0;  ///< Of ours, those that find none of the truth.
    /// Missed ones in which two or more of ours lie with more than half of their pixels.
    std::int64_t split = 0;
    /// Wrong ones that hold more than half of the pixels of two or more objects of the truth.
    std::int64_t merged = 0;
    double mean_iou = 0;  ///< Of those found; NaN without any.
    /// Of those found and what finds them, in the order of ours. None are known before the last
    /// row, and where a quarter of all pixels and a million more lie on boundaries.
    std::vector<BoundaryDistance> boundaries;
    /// Means over `boundaries`, and the largest max; NaN without any.
    BoundaryDistance boundary() const;
  };
  std::optional<Objects> objects;  ///< None where they cannot be told.
  bool has_labels = false;         ///< Several of them: a single one is a mask.

  /// That of several images together; the first is copied, not added to an empty score.
  void add(const TruthScore& other);
};

/// Counts the pixels of an image whose rows come part by part.
class TruthScorer {
 public:
  /// Of several objects that hold a pixel the last one has it; their labels do not matter.
  TruthScorer(std::vector<LabelledRegion> objects, const Shape& image);
  TruthScorer(TruthScorer&&) noexcept;
  TruthScorer& operator=(TruthScorer&&) noexcept;
  ~TruthScorer();

  /// The next rows of the truth, from `begin` on: a 2-D host image of one channel and any type. One
  /// pass over its pixels, memory for as many of 16 bits, and 8 bytes for each boundary pixel until
  /// the score is made, which takes 16 more for those of two objects at a time. Throws
  /// InvalidArgument for other images and other rows. What was stopped is not to be gone on with.
  void add_rows(const Image& truth, std::int64_t begin, const Control& control = {});
  TruthScore score(const Control& control = {}) const;  ///< Of all rows so far.

 private:
  class Counts;
  std::vector<LabelledRegion> objects_;
  std::unique_ptr<Counts> counts_;
};

/// Of a whole image. Throws InvalidArgument for volumes and several channels.
TruthScore score(const Image& truth, std::vector<LabelledRegion> objects,
                 const Control& control = {});

}  // namespace meander
