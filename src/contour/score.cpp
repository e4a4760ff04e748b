// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/score.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <type_traits>
#include <utility>

#include "core/message.hpp"
#include "meander/error.hpp"

namespace meander {
namespace {

constexpr double most_exact_whole = 9007199254740992;  // 2^53
/// A truth with more is no image of labels, and would fill the memory.
constexpr std::int64_t most_kinds = 1 << 20;
constexpr std::size_t most_labels = std::numeric_limits<std::uint16_t>::max();

bool is_label(double value) {
  return value >= 0 && value <= most_exact_whole && value == std::floor(value);
}

}  // namespace

/// Labels from 1 on, whatever the ids are; more than there can be share the last.
TruthScorer::TruthScorer(std::vector<LabelledRegion> objects) : objects_(std::move(objects)) {
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    objects_[i].label = static_cast<std::int64_t>(std::min(i + 1, most_labels));
  }
}

/// Runs of pixels of one kind are counted at once.
template <class T>
void TruthScorer::add_row(const T* truth, const std::uint16_t* found, std::int64_t count) {
  std::int64_t begin = 0;
  for (std::int64_t x = 1; x <= count; ++x) {
    if (x < count && found[x] == found[begin] && to_double(truth[x]) == to_double(truth[begin])) {
      continue;
    }
    add(to_double(truth[begin]), found[begin], x - begin);
    begin = x;
  }
}

void TruthScorer::add(double truth, std::uint16_t found, std::int64_t pixels) {
  const bool is_true = truth != 0, is_inside = found != 0;
  common_ += is_true && is_inside ? pixels : 0;
  either_ += is_true || is_inside ? pixels : 0;
  has_labels_ = has_labels_ && is_label(truth) && kinds_ <= most_kinds;
  if (!has_labels_) return;
  std::int64_t& counted = of_found_[found][static_cast<std::int64_t>(truth)];
  kinds_ += counted == 0 ? 1 : 0;
  counted += pixels;
}

void TruthScorer::add_rows(const Image& truth, std::int64_t begin, const Control& control) {
  if (truth.shape().z > 1 || truth.channels() > 1) {
    throw InvalidArgument(message("a truth of ", to_string(truth.shape()), " with ",
                                  truth.channels(), " channels, expected 2 axes and 1 channel"));
  }
  Image found = Image::allocate({.shape = truth.shape(), .type = PixelType::u16});
  fill_labels(objects_, found, begin, control);
  visit(truth.type(), [&]<class T>(std::type_identity<T>) {
    for (std::int64_t y = 0; y < truth.shape().y; ++y) {
      add_row(truth.row<T>(y), found.row<std::uint16_t>(y), truth.shape().x);
    }
  });
}

/// Two objects that share more than half of their union leave no room for a third.
TruthScore::Objects TruthScorer::compared() const {
  std::map<std::int64_t, std::int64_t> true_pixels;
  for (const auto& [label, parts] : of_found_) {
    for (const auto& [truth, pixels] : parts) true_pixels[truth] += pixels;
  }
  true_pixels.erase(0);
  TruthScore::Objects result;
  double sum = 0;
  std::set<std::int64_t> found;
  std::map<std::int64_t, std::int64_t> parts_in;  // of ours, in an object of the truth
  for (const auto& [label, parts] : of_found_) {
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
    }
    result.merged += !is_match && held > 1 ? 1 : 0;
  }
  for (const auto& [truth, parts] : parts_in) {
    result.split += parts > 1 && !found.contains(truth) ? 1 : 0;
  }
  result.found = static_cast<std::int64_t>(found.size());
  result.missed = static_cast<std::int64_t>(true_pixels.size()) - result.found;
  result.wrong = static_cast<std::int64_t>(objects_.size()) - result.found;
  result.mean_iou = sum / static_cast<double>(result.found);
  return result;
}

TruthScore TruthScorer::score() const {
  TruthScore result{.common = common_, .either = either_, .objects = {}};
  if (!has_labels_ || objects_.size() > most_labels) return result;
  std::set<std::int64_t> labels;
  for (const auto& [label, parts] : of_found_) {
    for (const auto& part : parts) labels.insert(part.first);
  }
  labels.erase(0);
  result.has_labels = labels.size() > 1;
  result.objects = compared();
  return result;
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
  objects->found += other.objects->found;
  objects->missed += other.objects->missed;
  objects->wrong += other.objects->wrong;
  objects->split += other.objects->split;
  objects->merged += other.objects->merged;
  objects->mean_iou = all / static_cast<double>(objects->found);
}

TruthScore score(const Image& truth, std::vector<LabelledRegion> objects, const Control& control) {
  TruthScorer scorer(std::move(objects));
  scorer.add_rows(truth, 0, control);
  return scorer.score();
}

}  // namespace meander
