// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "input_image.hpp"
#include "segment.hpp"

namespace meander::app {
namespace {

constexpr double most_exact_whole = 9007199254740992;  // 2^53
/// A truth with more is no image of labels, and would fill the memory.
constexpr std::int64_t most_kinds = 1 << 20;
constexpr std::size_t most_labels = std::numeric_limits<std::uint16_t>::max();

bool is_label(double value) {
  return value >= 0 && value <= most_exact_whole && value == std::floor(value);
}

/// Pixels by what they are in the truth and among the objects.
class PixelCounts {
 public:
  /// Runs of pixels of one kind are counted at once.
  template <class T>
  void add_row(const T* truth, const std::uint16_t* found, std::int64_t count) {
    std::int64_t begin = 0;
    for (std::int64_t x = 1; x <= count; ++x) {
      if (x < count && found[x] == found[begin] && to_double(truth[x]) == to_double(truth[begin])) {
        continue;
      }
      add(to_double(truth[begin]), found[begin], x - begin);
      begin = x;
    }
  }

  TruthOverlap overlap(std::size_t objects) const;

 private:
  void add(double truth, std::uint16_t found, std::int64_t pixels) {
    const bool is_true = truth != 0, is_inside = found != 0;
    both_ += is_true && is_inside ? pixels : 0;
    either_ += is_true || is_inside ? pixels : 0;
    has_labels_ = has_labels_ && is_label(truth) && kinds_ <= most_kinds;
    if (!has_labels_) return;
    std::int64_t& counted = of_found_[found][static_cast<std::int64_t>(truth)];
    kinds_ += counted == 0 ? 1 : 0;
    counted += pixels;
  }
  TruthOverlap::Objects matched(std::size_t objects) const;

  std::int64_t both_ = 0, either_ = 0;
  bool has_labels_ = true;  ///< So far.
  std::int64_t kinds_ = 0;  ///< Pairs of labels.
  /// By label of ours, then of the truth; in order, so that sums are the same on every machine.
  std::map<std::uint16_t, std::map<std::int64_t, std::int64_t>> of_found_;
};

/// Two objects that share more than half of their union leave no room for a third.
TruthOverlap::Objects PixelCounts::matched(std::size_t objects) const {
  std::map<std::int64_t, std::int64_t> true_pixels;
  for (const auto& [label, parts] : of_found_) {
    for (const auto& [truth, pixels] : parts) true_pixels[truth] += pixels;
  }
  true_pixels.erase(0);
  TruthOverlap::Objects result;
  double sum = 0;
  for (const auto& [label, parts] : of_found_) {
    if (label == 0) continue;
    std::int64_t ours = 0;
    for (const auto& [truth, pixels] : parts) ours += pixels;
    for (const auto& [truth, common] : parts) {
      const std::int64_t either = truth == 0 ? 0 : ours + true_pixels[truth] - common;
      if (2 * common <= either || truth == 0) continue;
      ++result.found;
      sum += static_cast<double>(common) / static_cast<double>(either);
    }
  }
  result.missed = static_cast<std::int64_t>(true_pixels.size()) - result.found;
  result.wrong = static_cast<std::int64_t>(objects) - result.found;
  result.mean_iou = sum / static_cast<double>(result.found);
  return result;
}

TruthOverlap PixelCounts::overlap(std::size_t objects) const {
  TruthOverlap result{.common = both_, .either = either_};
  if (!has_labels_ || objects > most_labels) return result;
  std::set<std::int64_t> labels;
  for (const auto& [label, parts] : of_found_) {
    for (const auto& part : parts) labels.insert(part.first);
  }
  labels.erase(0);
  result.has_labels = labels.size() > 1;
  result.objects = matched(objects);
  return result;
}

void count(const Image& truth, const Image& found, PixelCounts& counts) {
  visit(truth.type(), [&]<class T>(std::type_identity<T>) {
    for (std::int64_t y = 0; y < truth.shape().y; ++y) {
      counts.add_row(truth.row<T>(y), found.row<std::uint16_t>(y), truth.shape().x);
    }
  });
}

/// Labels from 1 on, whatever the ids are; more than there can be share the last.
void label_in_order(std::vector<LabelledRegion>& objects) {
  for (std::size_t i = 0; i < objects.size(); ++i) {
    objects[i].label = static_cast<std::int64_t>(std::min(i + 1, most_labels));
  }
}

}  // namespace

void check_truth(Session& session, const std::string& path, io::Reader& truth) {
  if (truth.description().channels < 3) return;
  const SlabPlan plan =
      plan_slabs(truth.description().shape, padded_bytes(slab_step(truth.description())));
  for_each_slab(session, plan, [&](std::int64_t begin, std::int64_t end, const Control& control) {
    grey_of(truth.slab(begin, end, {.stop = control.stop}), path);
  });
}

TruthOverlap overlap_with(Session& session, const std::string& path, io::Reader& truth,
                          std::vector<LabelledRegion> objects) {
  label_in_order(objects);
  Description labels = truth.description();
  labels.type = PixelType::u16;
  labels.channels = 1;
  const SlabPlan plan = plan_slabs(
      labels.shape, padded_bytes(slab_step(labels)) + padded_bytes(slab_step(truth.description())));
  PixelCounts counts;
  for_each_slab(session, plan, [&](std::int64_t begin, std::int64_t end, const Control& control) {
    const Control stop{.stop = control.stop};
    const Image part =
        session.report().timed("read", [&] { return grey_of(truth.slab(begin, end, stop), path); });
    labels.shape.y = end - begin;
    Image found = Image::allocate(labels);
    fill_labels(objects, found, begin, stop);
    count(part, found, counts);
  });
  return counts.overlap(objects.size());
}

TruthOverlap overlap_with(const Image& truth, std::vector<LabelledRegion> objects,
                          const Control& control) {
  label_in_order(objects);
  Image found = Image::allocate({.shape = truth.shape(), .type = PixelType::u16});
  fill_labels(objects, found, 0, control);
  PixelCounts counts;
  count(truth, found, counts);
  return counts.overlap(objects.size());
}

void TruthOverlap::add(const TruthOverlap& other) {
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
  objects->mean_iou = all / static_cast<double>(objects->found);
}

void report_overlap(Session& session, const TruthOverlap& overlap) {
  Json& result = session.report().result();
  result["iou"] = number(overlap.iou());
  session.say(fmt::format("intersection over union with the truth: {:.6g}", overlap.iou()));
  if (!overlap.objects || !overlap.has_labels) return;
  const auto& [found, missed, wrong, mean_iou] = *overlap.objects;
  result["objects_found"] = found;
  result["objects_missed"] = missed;
  result["objects_false"] = wrong;
  result["mean_iou"] = number(mean_iou);
  const std::string mean =
      found > 0 ? fmt::format(", mean intersection over union {:.6g}", mean_iou) : "";
  session.say(
      fmt::format("objects of the truth: {} found{}; {} missed; outlines that match none: {}",
                  found, mean, missed, wrong));
}

}  // namespace meander::app
