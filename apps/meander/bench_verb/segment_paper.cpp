// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <algorithm>

#include "bench/segment/paper.hpp"
#include "bench_verb/segment_report.hpp"

namespace meander::app {
namespace {

using bench::SegmentBench;
using bench::SegmentRow;
using bench::SegmentWay;

double megapixels(const SegmentBench& found) { return found.pixels() / 1e6; }

/// Whether the paper speaks of images of this size.
bool is_of_the_paper(const SegmentBench& found) {
  return megapixels(found) >= bench::paper_segment_megapixels[0] &&
         megapixels(found) <= bench::paper_segment_megapixels[1];
}

/// One statement of the paper's, and the same of every size that was measured.
class Statement {
 public:
  Statement(std::string what, Json paper, std::string paper_text)
      : what_(std::move(what)), paper_(std::move(paper)), text_(std::move(paper_text)) {}

  void add(const SegmentBench& found, double value, const std::string& text) {
    ours_.push_back({{"size", to_string(found.size)}, {"value", number(value)}});
    our_text_ += fmt::format("{}{} {}", our_text_.empty() ? "" : ", ", to_string(found.size), text);
  }
  void report(Session& session) const {
    if (ours_.empty()) return;
    session.report().result()["paper"].push_back(
        {{"statement", what_}, {"paper", paper_}, {"ours", ours_}});
    session.say(fmt::format("| {} | {} | {} |", what_, text_, our_text_));
  }

 private:
  std::string what_;
  Json paper_;
  std::string text_;
  Json ours_ = Json::array();
  std::string our_text_;
};

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

Statement speedups(const std::vector<SegmentBench>& found) {
  Statement statement("faster than the search on one thread by, 10 to 150 Mpixel",
                      bench::paper_segment_speedup, "7, its GPU over SSE2");
  for (const SegmentBench& entry : found) {
    const SegmentRow& ours = entry.row(SegmentWay::base32_pyramid);
    if (!is_of_the_paper(entry) || !ours.skipped.empty() || !ours.over_paper) continue;
    const double speedup = 1 / ours.over_paper->median;
    statement.add(entry, speedup, fmt::format("{:.1f}", speedup));
  }
  return statement;
}

/// Of the published search on one thread, where it was measured.
template <class F>
Statement of_baseline(const std::vector<SegmentBench>& found, Statement statement, const F& value,
                      const std::function<std::string(double)>& text) {
  for (const SegmentBench& entry : found) {
    const SegmentRow& row = entry.row(SegmentWay::paper);
    if (row.skipped.empty()) statement.add(entry, value(row), text(value(row)));
  }
  return statement;
}

Statement largest(const std::vector<SegmentBench>& found) {
  Statement statement("largest image of the program on the processor, Mpixel",
                      bench::paper_segment_limit_megapixels, "15");
  const auto most = std::max_element(
      found.begin(), found.end(),
      [](const SegmentBench& a, const SegmentBench& b) { return a.pixels() < b.pixels(); });
  statement.add(*most, megapixels(*most), "here, and no limit but memory");
  return statement;
}

Statement bytes(const std::vector<SegmentBench>& found) {
  Statement statement("bytes a pixel beyond the image", bench::paper_segment_bytes,
                      "16, two cumulated images of 64 bits");
  for (const SegmentBench& entry : found) {
    const SegmentRow& ours = entry.row(SegmentWay::base32_pyramid);
    if (!ours.skipped.empty()) continue;
    statement.add(entry, ours.memory->measured, fmt::format("{:.2f}", ours.memory->measured));
  }
  return statement;
}

}  // namespace

void report_segment_paper(Session& session, const std::vector<SegmentBench>& found) {
  if (found.empty()) return;
  session.say(
      "Beside Perrot 2012, which has no absolute times. Shares and the time of a round are those "
      "of the published search on one thread; its criterion holds the logarithms too, our sums do "
      "not. Speedup and memory are of base32 pyramid.");
  session.say("| statement | paper | ours |");
  session.say("|---|---|---|");
  speedups(found).report(session);
  of_baseline(
      found,
      {"share of the criterion", bench::paper_segment_criterion,
       percent(bench::paper_segment_criterion)},
      [](const SegmentRow& row) { return row.course->sums_share.value(); }, percent)
      .report(session);
  of_baseline(
      found,
      {"share of the cumulated images", bench::paper_segment_cumulated,
       percent(bench::paper_segment_cumulated)},
      [](const SegmentRow& row) { return row.course->build_share(); }, percent)
      .report(session);
  of_baseline(
      found, {"milliseconds of a round over all nodes", Json(), "not given"},
      [](const SegmentRow& row) { return row.course->seconds_of_iteration() * 1e3; },
      [](double value) { return fmt::format("{:.2f}", value); })
      .report(session);
  largest(found).report(session);
  bytes(found).report(session);
}

}  // namespace meander::app
