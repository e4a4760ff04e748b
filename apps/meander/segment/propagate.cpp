// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "segment/propagate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "meander/outline_file.hpp"
#include "segment/propagate_outputs.hpp"
#include "segment/propagate_truth.hpp"
#include "segment/segment.hpp"

namespace meander::app {
namespace {

void refuse_what_images_have(const Session& session) {
  for (const char* name : {"evolution", "stages", "field", "repeat"}) {
    if (!session.given(name)) continue;
    throw InvalidArgument(
        fmt::format("--{} is for single images, expected no --propagate beside it", name));
  }
}

void check_frames(const std::string& path, const FrameSource& source) {
  if (source.frame().shape.z > 1) {
    throw InvalidArgument(
        fmt::format("{}: found frames with {} slices each, expected one frame with --frame N or "
                    "frames of 2 axes",
                    path, source.frame().shape.z));
  }
  if (source.count() < 2) {
    throw InvalidArgument(fmt::format(
        "{}: found one image of {}, expected a film or a volume to follow objects through", path,
        to_string(source.frame().shape)));
  }
  if (source.frame().channels > 1) {
    throw InvalidArgument(fmt::format("{}: an image with {} channels, expected 1{}", path,
                                      source.frame().channels,
                                      channel_advice(source.frame().channels)));
  }
}

/// The first of the files that are followed.
std::string first_file(const std::string& path) {
  return io::is_sequence(path) ? io::sequence_files(path).front().string() : path;
}

/// A mask or labels of one frame.
Image frame_mask(Session& session, const std::string& path, const Shape& frame) {
  io::ReadOptions options{.roi = session.read_options().roi};
  io::Reader mask(path, options);
  check_mask(path, as_grey(mask), frame);
  session.report().add_input(path, mask.description());
  return grey_of(mask.read({.stop = session.control().stop}), path);
}

/// The regions or curves to begin with; none when they are found.
TrackInputs starts_of_film(Session& session, const SegmentVerbOptions& given,
                           const FrameSource& source, const SegmentPlace& place) {
  TrackInputs starts;
  std::vector<Region>& regions = starts.regions.starts;
  const Control stop{.stop = session.control().stop};
  starts.regions.has_shapes = has_shapes(given.init);
  starts.are_rough = !starts.regions.has_shapes;
  const std::string& file = given.init.file;
  if (given.init.kind == SegmentStart::Kind::file && !is_outline_file(file)) {
    regions = starts_in(file, frame_mask(session, file, source.frame().shape), stop);
    if (!given.find.uses_region()) {
      starts.curves =
          curves_around(std::exchange(regions, {}), given.find.edge.snake.point_spacing);
    }
    return starts;
  }
  if (given.find.uses_region()) {
    regions = regions_to_start(given, source.frame().spacing, stop);
  } else {
    starts.curves = curves_to_start(given, source.frame().spacing, stop);
  }
  for (Curve& curve : starts.curves) place.to_part(curve.points);
  for (Region& region : regions) {
    place.to_part(region.outer.vertices);
    for (Polygon& hole : region.holes) place.to_part(hole.vertices);
  }
  return starts;
}

class PropagateWork {
 public:
  PropagateWork(Session& session, const SegmentVerbOptions& given, FrameSource& source,
                PropagateOutputs& outputs, const TrackInputs& starts, TruthFrames* truth)
      : session_(session),
        given_(given),
        source_(source),
        outputs_(outputs),
        starts_(starts),
        truth_(truth) {}

  /// `begin` is the index of the frame to follow from.
  void run(std::int64_t begin) {
    frames_ = followed(begin);
    image_ = Image();
    // Files take their frames in order.
    for (const TrackFrame& frame : frames_) {
      if (begin > 0) write(frame.frame, read(frame.frame), frame);
    }
    for (TrackFrame& frame : frames_) frame.frame = source_.number(frame.frame);
    session_.report().timed("write", [&] { outputs_.finish(frames_); });
    double most = 0;
    for (const TrackFrame& frame : frames_) {
      double covered = 0;
      for (const TrackedObject& object : frame.objects) {
        if (!object.curve.is_open) covered += region_of(object).outer.signed_area();
      }
      most = std::max(most, covered);
    }
    if (given_.find.uses_region()) warn_of_cover(session_, most, source_.frame().shape);
    report();
    if (fault_.empty()) return;
    session_.finish();  // The report tells of what was written; the error comes on top.
    throw NotConverged(fault_);
  }

 private:
  Image read(std::int64_t index) {
    return session_.report().timed("read", [&] { return source_.read(index); });
  }

  std::vector<TrackFrame> followed(std::int64_t begin) {
    FilmTracker tracker(given_.find, {.frames = source_.count(), .from = begin, .gap = given_.gap},
                        starts_);
    while (const auto index = tracker.wanted()) {
      const TrackFrame& frame = follow(tracker, *index);
      if (begin == 0) write(*index, image_, frame);
    }
    return tracker.frames();
  }

  const TrackFrame& follow(FilmTracker& tracker, std::int64_t index) {
    image_ = read(index);
    const auto count = static_cast<double>(source_.count());
    const double from = std::min(1.0, static_cast<double>(done_++) / count);
    const TrackFrame* frame = session_.report().timed("compute", [&] {
      const Image image = session_.device().upload(image_);
      const TrackFrame* found = run_named(source_.name(index), [&] {
        return &tracker.add(image, session_.control(from, std::min(1.0, from + 1 / count)));
      });
      session_.device().synchronize();
      return found;
    });
    note_fault(tracker, index);
    return *frame;
  }

  void write(std::int64_t index, const Image& image, const TrackFrame& frame) {
    session_.report().timed("write", [&] { outputs_.add(index, image, frame); });
    if (truth_ == nullptr) return;
    const Image truth = session_.report().timed("read", [&] { return truth_->read(index); });
    scores_.push_back(score(truth, objects_of(frame), {.stop = session_.control().stop}));
  }

  /// Losing an object is no fault.
  void note_fault(const FilmTracker& tracker, std::int64_t index) {
    const auto fault = shortfall(given_, tracker.edges(), tracker.unsettled());
    if (!fault) return;
    const std::string line = source_.name(index) + ": " + *fault;
    if (!given_.keep) throw NotConverged(line);
    if (fault_.empty()) fault_ = line;
  }

  void report() {
    Json& result = session_.report().result();
    result["model"] = OptionText<SegmentModel>::format(given_.find.model);
    result["frames"] = Json::array();
    TrackCounts all;
    for (const TrackFrame& frame : frames_) {
      const TrackCounts counts = counts_of(frame);
      all += counts;
      result["frames"].push_back(json_of(frame, counts));
      if (truth_ != nullptr) {
        result["frames"].back()["iou"] = number(scores_[result["frames"].size() - 1].iou());
      }
    }
    const std::int64_t vanished = all.vanished - all.returned;
    result["tracks"] = all.tracks;
    result["appeared"] = all.appeared;
    result["vanished"] = vanished;
    result["divided"] = all.divided;
    session_.say(fmt::format("{}, {}: {} appeared, {} vanished, {} divided",
                             counted(source_.count(), source_.word()),
                             counted(all.tracks, "object"), all.appeared, vanished, all.divided));
    if (scores_.empty()) return;
    TruthScore score = scores_.front();
    for (std::size_t i = 1; i < scores_.size(); ++i) score.add(scores_[i]);
    report_score(session_, score);
  }

  Json json_of(const TrackFrame& frame, const TrackCounts& counts) const {
    Json json = {{"frame", frame.frame},        {"objects", frame.objects.size()},
                 {"appeared", counts.appeared}, {"vanished", counts.vanished},
                 {"divided", counts.divided},   {"returned", counts.returned}};
    if (given_.find.uses_edges()) json["flow_cycles"] = frame.flow.cycles.size();
    return json;
  }

  Session& session_;
  const SegmentVerbOptions& given_;
  FrameSource& source_;
  PropagateOutputs& outputs_;
  const TrackInputs& starts_;
  TruthFrames* truth_;
  Image image_;            ///< Of the frame at hand.
  std::int64_t done_ = 0;  ///< Frames so far, in either direction.
  std::vector<TrackFrame> frames_;
  std::vector<TruthScore> scores_;  ///< Of each of them.
  std::string fault_;  ///< Of the first frame whose curves did not settle and were kept.
};

/// Throws InvalidArgument for a frame that is not followed.
std::int64_t index_to_begin(const Session& session, const SegmentVerbOptions& given,
                            const FrameSource& source) {
  if (!given.from) return 0;
  const std::int64_t first = source.number(0), last = source.number(source.count() - 1);
  if (*given.from >= first && *given.from <= last) return *given.from - first;
  throw InvalidArgument(fmt::format("{}: found --from {}, expected {} to {}", session.argument(0),
                                    *given.from, first, last));
}

/// One frame: the search, with its outputs beside it; or the truth, with labels to compare.
void check_memory(Session& session, const SegmentVerbOptions& given, const FrameSource& source,
                  const SegmentPlace& place, int channels, const TruthFrames* truth) {
  const Description& frame = source.frame();
  Description read = frame;  // with channels that are left out
  read.channels = channels;
  const std::int64_t comparing =
      truth == nullptr ? 0
                       : padded_bytes(truth->frame()) +
                             padded_bytes({.shape = frame.shape, .type = PixelType::u16});
  const auto bytes_on = [&](const Device& device) {
    const std::int64_t region =
        given.find.uses_region() ? estimate_bytes(frame, given.find.region, device) : 0;
    const std::int64_t edge =
        given.find.uses_edges()
            ? estimate_bytes(frame, given.find.edge, device, {.has_flow_start = true})
            : 0;
    return std::max({region, edge, comparing}) + padded_bytes(read) +
           PropagateOutputs::bytes_needed(given, frame, place);
  };
  Work work = work_of(given, frame, false);
  work *= static_cast<double>(source.count());
  session.plan(work, [&](const Device& device) {
    return static_cast<std::uint64_t>(bytes_on(device)) <= session.budget(device);
  });
  const std::int64_t bytes = bytes_on(session.device());
  session.report().result()["memory_bytes"] = bytes;
  const std::string line = fmt::format("{}, one in memory at a time, {} bytes",
                                       counted(source.count(), source.word()), bytes);
  session.log(line);
  const std::uint64_t budget = session.device().memory().budget;
  if (static_cast<std::uint64_t>(bytes) > budget) {
    throw OutOfMemory(fmt::format("{}: one frame needs {} bytes on {}, the budget is {}",
                                  session.argument(0), bytes, session.device().name(), budget));
  }
  if (session.common().dry_run) session.say("would follow objects through " + line);
}

}  // namespace

int run_propagate(Session& session, const SegmentVerbOptions& given) {
  refuse_what_images_have(session);
  const std::string& in = session.argument(0);
  FrameSource source(in, frame_options(session, true));
  const std::string first = first_file(in);
  session.log_print_density(first, source.reader());
  check_frames(in, source);
  const std::int64_t begin = index_to_begin(session, given, source);
  session.report().add_input(in, source.whole(), source.film());
  std::optional<TruthFrames> truth;
  if (!given.truth.empty()) truth.emplace(session, source, given.truth);
  const SegmentPlace place(first, source.reader(), source.options());
  TrackInputs starts = starts_of_film(session, given, source, place);
  if (!given.mask.empty()) {
    starts.regions.mask =
        bounds_in(given.mask, frame_mask(session, given.mask, source.frame().shape));
  }
  if (!starts.regions.starts.empty() && given.find.uses_region()) {
    run_named(OptionText<SegmentStart>::format(given.init), [&] {
      check_starts(starts.regions.starts, source.frame().shape, place.part(source.frame().shape),
                   {.stop = session.control().stop});
    });
  }
  PropagateOutputs outputs(session, given, source, place);
  if (given.find.uses_region()) report_region_plan(session, given);
  if (given.find.uses_edges()) report_edge_plan(session, given);
  TruthFrames* const compared = truth ? &*truth : nullptr;
  check_memory(session, given, source, place, source.reader().description().channels, compared);
  if (session.common().dry_run) return done;
  PropagateWork(session, given, source, outputs, starts, compared).run(begin);
  return done;
}

}  // namespace meander::app
