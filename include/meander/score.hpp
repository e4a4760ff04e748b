// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "meander/control.hpp"
#include "meander/image.hpp"
#include "meander/outline.hpp"

/// How well objects agree with a truth, pixel by pixel.
namespace meander {

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
  explicit TruthScorer(std::vector<LabelledRegion> objects);

  /// Rows of the truth from `begin` on: a 2-D host image of one channel and any type. One pass over
  /// its pixels, and memory for as many of 16 bits.
  void add_rows(const Image& truth, std::int64_t begin, const Control& control = {});
  TruthScore score() const;  ///< Of all rows so far.

 private:
  template <class T>
  void add_row(const T* truth, const std::uint16_t* found, std::int64_t count);
  void add(double truth, std::uint16_t found, std::int64_t pixels);
  TruthScore::Objects compared() const;

  std::vector<LabelledRegion> objects_;
  std::int64_t common_ = 0, either_ = 0;
  bool has_labels_ = true;  ///< So far.
  std::int64_t kinds_ = 0;  ///< Pairs of labels.
  /// By label of ours, then of the truth; in order, so that sums are the same on every machine.
  std::map<std::uint16_t, std::map<std::int64_t, std::int64_t>> of_found_;
};

/// Of a whole image. Throws InvalidArgument for volumes and several channels.
TruthScore score(const Image& truth, std::vector<LabelledRegion> objects,
                 const Control& control = {});

}  // namespace meander
