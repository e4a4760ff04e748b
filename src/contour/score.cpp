// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/score.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

#include "contour/boundary.hpp"
#include "core/control_part.hpp"
#include "core/message.hpp"
#include "meander/error.hpp"

namespace meander {
namespace {

constexpr double most_exact_whole = 9007199254740992;  // 2^53
/// A truth with more is no image of labels, and would fill the memory.
constexpr std::int64_t most_kinds = 1 << 20;
/// So many pixels may lie on boundaries in any image.
constexpr std::int64_t fewest_limited = 1 << 20;
constexpr std::size_t most_labels = std::numeric_limits<std::uint16_t>::max();

bool is_label(double value) {
  return value >= 0 && value <= most_exact_whole && value == std::floor(value);
}

}  // namespace

/// What rows so far have in common, and the boundaries in them.
class TruthScorer::Counts {
 public:
  Counts(std::size_t objects, const Shape& image)
      : image_(image),
        most_boundary_pixels_(fewest_limited + image.x * image.y / 4),
        has_labels_(objects <= most_labels),
        objects_(static_cast<std::int64_t>(objects)) {}

  template <class T>
  void add_row(const T* truth, const std::uint16_t* found);
  TruthScore score(const Control& control) const;
  const Shape& image() const { return image_; }
  std::int64_t rows() const { return rows_; }

 private:
  void add_run(double truth, std::uint16_t found, std::int64_t begin, std::int64_t end);
  void end_row();
  TruthScore::Objects compared(const Control& control) const;

  const Shape image_;
  const std::int64_t most_boundary_pixels_;
  bool has_labels_;             ///< So far.
  bool has_boundaries_ = true;  ///< So far.
  const std::int64_t objects_;
  std::int64_t rows_ = 0;
  std::int64_t common_ = 0, either_ = 0;
  std::int64_t kinds_ = 0;  ///< Pairs of labels.
  /// By label of ours, then of the truth; in order, so that sums are the same on every machine.
  std::map<std::uint16_t, std::map<std::int64_t, std::int64_t>> of_found_;
  BoundaryRows true_rows_, found_rows_;
};

/// Runs of pixels of one kind are counted at once.
template <class T>
void TruthScorer::Counts::add_row(const T* truth, const std::uint16_t* found) {
  std::int64_t begin = 0;
  for (std::int64_t x = 1; x <= image_.x; ++x) {
    if (x < image_.x && found[x] == found[begin] &&
        to_double(truth[x]) == to_double(truth[begin])) {
      continue;
    }
    add_run(to_double(truth[begin]), found[begin], begin, x);
    begin = x;
  }
  ++rows_;
  if (has_labels_ && has_boundaries_) end_row();
}

void TruthScorer::Counts::add_run(double truth, std::uint16_t found, std::int64_t begin,
                                  std::int64_t end) {
  const std::int64_t pixels = end - begin;
  const bool is_true = truth != 0, is_inside = found != 0;
  common_ += is_true && is_inside ? pixels : 0;
  either_ += is_true || is_inside ? pixels : 0;
  has_labels_ = has_labels_ && is_label(truth) && kinds_ <= most_kinds;
  if (!has_labels_) return;
  const auto label = static_cast<std::int64_t>(truth);
  std::int64_t& counted = of_found_[found][label];
  kinds_ += counted == 0 ? 1 : 0;
  counted += pixels;
  if (!has_boundaries_) return;
  true_rows_.add_run(label, begin, end);
  found_rows_.add_run(found, begin, end);
}

void TruthScorer::Counts::end_row() {
  for (BoundaryRows* boundaries : {&true_rows_, &found_rows_}) {
    boundaries->end_row();
    if (rows_ == image_.y) boundaries->end_row();  // beyond the image
  }
  has_boundaries_ = true_rows_.count() + found_rows_.count() <= most_boundary_pixels_;
  if (!has_boundaries_) true_rows_ = found_rows_ = {};
}

/// Labels from 1 on, whatever the ids are; more than there can be share the last.
TruthScorer::TruthScorer(std::vector<LabelledRegion> objects, const Shape& image)
    : objects_(std::move(objects)), counts_(std::make_unique<Counts>(objects_.size(), image)) {
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    objects_[i].label = static_cast<std::int64_t>(std::min(i + 1, most_labels));
  }
}

TruthScorer::TruthScorer(TruthScorer&&) noexcept = default;
TruthScorer& TruthScorer::operator=(TruthScorer&&) noexcept = default;
TruthScorer::~TruthScorer() = default;

void TruthScorer::add_rows(const Image& truth, std::int64_t begin, const Control& control) {
  const Shape& part = truth.shape();
  if (part.z > 1 || truth.channels() > 1) {
    throw InvalidArgument(message("a truth of ", to_string(part), " with ", truth.channels(),
                                  " channels, expected 2 axes and 1 channel"));
  }
  if (part.x != counts_->image().x || begin != counts_->rows() ||
      begin + part.y > counts_->image().y) {
    throw InvalidArgument(message("rows ", to_string(part), " of a truth from ", begin,
                                  " on, expected those from ", counts_->rows(), " on of ",
                                  to_string(counts_->image())));
  }
  Image found = Image::allocate({.shape = part, .type = PixelType::u16});
  fill_labels(objects_, found, begin, part_of(control, 0, 0.5));
  const Control counting = part_of(control, 0.5, 1);
  visit(truth.type(), [&]<class T>(std::type_identity<T>) {
    for (std::int64_t y = 0; y < part.y; ++y) {
      counting.step(static_cast<double>(y) / static_cast<double>(part.y));
      counts_->add_row(truth.row<T>(y), found.row<std::uint16_t>(y));
    }
  });
  tell_end(control);
}

/// Two objects that share more than half of their union leave no room for a third.
TruthScore::Objects TruthScorer::Counts::compared(const Control& control) const {
  std::map<std::int64_t, std::int64_t> true_pixels;
  for (const auto& [label, parts] : of_found_) {
    for (const auto& [truth, pixels] : parts) true_pixels[truth] += pixels;
  }
  true_pixels.erase(0);
  TruthScore::Objects result;
  double sum = 0;
  std::set<std::int64_t> found;
  std::map<std::int64_t, std::int64_t> parts_in;  // of ours, in an object of the truth
  double labels = 0;
  for (const auto& [label, parts] : of_found_) {
    control.step(labels++ / static_cast<double>(of_found_.size()));
    if (label == 0) continue;
    std::int64_t ours = 0;
    for (const auto& [truth, pixels] : parts) ours += pixels;
    bool is_match = false;
    std::int64_t held = 0;  // objects of the truth that lie in this one of ours
    for (const auto& [truth, common] : parts) {
      if (truth == 0) continue;
      held += 2 * common > true_pixels[truth] ? 1 : 0;
      parts_in[truth] += 2 * common > ours ? 1 : 0;
      const std::int64_t either = ours + true_pixels[truth] - common;
      if (2 * common <= either) continue;
      is_match = true;
      found.insert(truth);
      sum += static_cast<double>(common) / static_cast<double>(either);
      if (!has_boundaries_ || rows_ < image_.y) continue;
      result.boundaries.push_back(
          boundary_distance(true_rows_.of(truth), found_rows_.of(label), control));
    }
    result.merged += !is_match && held > 1 ? 1 : 0;
  }
  for (const auto& [truth, parts] : parts_in) {
    result.split += parts > 1 && !found.contains(truth) ? 1 : 0;
  }
  result.found = static_cast<std::int64_t>(found.size());
  result.missed = static_cast<std::int64_t>(true_pixels.size()) - result.found;
  result.wrong = objects_ - result.found;
  result.mean_iou = sum / static_cast<double>(result.found);
  return result;
}

TruthScore TruthScorer::score(const Control& control) const {
  TruthScore result = counts_->score(control);
  control.step(1);
  return result;
}

TruthScore TruthScorer::Counts::score(const Control& control) const {
  TruthScore result{.common = common_, .either = either_, .objects = {}};
  if (!has_labels_) return result;
  std::set<std::int64_t> labels;
  for (const auto& [label, parts] : of_found_) {
    for (const auto& part : parts) labels.insert(part.first);
  }
  labels.erase(0);
  result.has_labels = labels.size() > 1;
  result.objects = compared(control);
  return result;
}

BoundaryDistance TruthScore::Objects::boundary() const {
  BoundaryDistance result;
  for (const BoundaryDistance& distance : boundaries) {
    result.mean += distance.mean;
    result.percentile_95 += distance.percentile_95;
    result.max = std::max(result.max, distance.max);
  }
  const auto count = static_cast<double>(boundaries.size());
  const double none = boundaries.empty() ? std::numeric_limits<double>::quiet_NaN() : 0;
  return {result.mean / count, result.percentile_95 / count, result.max + none};
}

void TruthScore::add(const TruthScore& other) {
  common += other.common;
  either += other.either;
  has_labels = has_labels || other.has_labels;
  if (!objects || !other.objects) return objects.reset();
  const auto sum = [](const Objects& part) {
    return part.found > 0 ? part.mean_iou * static_cast<double>(part.found) : 0;
  };
  const double all = sum(*objects) + sum(*other.objects);
  const bool is_known =
      static_cast<std::int64_t>(objects->boundaries.size()) == objects->found &&
      static_cast<std::int64_t>(other.objects->boundaries.size()) == other.objects->found;
  objects->boundaries.insert(objects->boundaries.end(), other.objects->boundaries.begin(),
                             other.objects->boundaries.end());
  if (!is_known) objects->boundaries.clear();
  objects->found += other.objects->found;
  objects->missed += other.objects->missed;
  objects->wrong += other.objects->wrong;
  objects->split += other.objects->split;
  objects->merged += other.objects->merged;
  objects->mean_iou = all / static_cast<double>(objects->found);
}

TruthScore score(const Image& truth, std::vector<LabelledRegion> objects, const Control& control) {
  TruthScorer scorer(std::move(objects), truth.shape());
  scorer.add_rows(truth, 0, part_of(control, 0, 0.5));
  return scorer.score(part_of(control, 0.5, 1));
}

}  // namespace meander
