// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "input/frames.hpp"
#include "react/react.hpp"

namespace meander::app {
namespace {

void refuse_what_stills_have(const ReactVerbOptions& given) {
  if (given.snapshots || !given.sheet.empty() || given.repeat) {
    throw InvalidArgument("--snapshots, --sheet and --repeat are for single images, not for films");
  }
}

/// With --frames slices of a volume are frames.
void check_frames(const std::string& path, const ReactVerbOptions& given,
                  const FrameSource& source) {
  const std::int64_t depth = source.frame().shape.z;
  if (!given.frames || source.count() == 1 || depth == 1) return;
  throw InvalidArgument(fmt::format(
      "{}: --frames found {} frames with {} slices each, expected one of them with --frame N", path,
      source.count(), depth));
}

void report_speed(Session& session, std::int64_t frames) {
  const Report& report = session.report();
  const auto per_second = [&](double seconds) {
    return seconds > 0 ? static_cast<double>(frames) / seconds : 0;
  };
  const double compute = report.seconds("compute");
  const double all = compute + report.seconds("read") + report.seconds("write");
  Json& result = session.report().result();
  result["frames"] = frames;
  result["frames_per_second"] = per_second(all);
  result["frames_per_second_compute"] = per_second(compute);
  session.say(fmt::format("{}, {:.1f} a second ({:.1f} without reading and writing)",
                          counted(frames, "frame"), per_second(all), per_second(compute)));
}

/// One film: a network that all frames go through, and one map for what comes out.
class Film {
 public:
  Film(Session& session, FrameSource& source, const ReactOptions& used, PixelType type)
      : session_(session), source_(source), type_(type) {
    const ReactFilm film = session.report().timed(
        "read", [&] { return settle_film(used, type, source, session.control(0, 0.1)); });
    used_ = film.options;
    map_frame_ = film.map_frame;
    say_if_beyond(session, used_.window.ends, film.beyond);
  }

  void run(io::FrameSink& sink) {
    Reactor reactor(session_.device(), source_.frame(), used_);
    Report& report = session_.report();
    if (map_frame_) {
      const Image image = read(*map_frame_);
      report.timed("compute",
                   [&] { states(reactor, *map_frame_, image, session_.control(0.1, 0.1)); });
      map_ = reactor.figures();
    }
    Json per_frame = Json::array();
    for (std::int64_t i = 0; i < source_.count(); ++i) {
      const Image image = read(i);
      const Image pixels = report.timed("compute", [&] { return frame(reactor, i, image); });
      report.timed("write", [&] { sink.append(pixels.download()); });
      report_react_figures(session_, used_, reactor.figures());
      per_frame.push_back({{"frame", source_.number(i)}});
      per_frame.back().update(report.result());
    }
    if (source_.is_film()) report.result()["per_frame"] = std::move(per_frame);
    report.timed("write", [&] { sink.finish(); });
  }

 private:
  Image read(std::int64_t index) {
    return session_.report().timed("read",
                                   [&] { return session_.device().upload(source_.read(index)); });
  }
  Image states(Reactor& reactor, std::int64_t index, const Image& image, const Control& control) {
    return run_named(source_.name(index), [&] { return reactor.run(image, {}, control); });
  }
  Image frame(Reactor& reactor, std::int64_t index, const Image& image) {
    const auto share = [&](std::int64_t done) {
      return 0.1 + 0.9 * static_cast<double>(done) / static_cast<double>(source_.count());
    };
    const Image layers =
        states(reactor, index, image, session_.control(share(index), share(index + 1)));
    const ReactFigures& map = map_frame_ ? map_ : reactor.figures();
    const Image pixels = counted_pixels(session_, layers, used_, map, type_);
    session_.device().synchronize();
    return pixels;
  }

  Session& session_;
  FrameSource& source_;
  ReactOptions used_;
  const PixelType type_;
  std::optional<std::int64_t> map_frame_;
  ReactFigures map_;
};

}  // namespace

int run_react_film(Session& session, const ReactVerbOptions& given) {
  refuse_what_stills_have(given);
  const std::string &in = session.argument(0), &out = session.argument(1);
  FrameSource source(in, frame_options(session));
  check_frames(in, given, source);
  const Description& frame = source.frame();
  const ReactOptions used = options_for(session, given, frame.shape);
  session.report().add_input(in, source.whole(), source.film());
  report_react_plan(session, used, react_dt_limit(frame.shape, used));
  const Description output = react_output(given, used, out, frame);
  Description whole = output;
  whole.shape = source.whole().shape;
  session.report().add_output(out, whole, source.film());
  session.report().set_option("type", name_of(output.type));
  check_react_memory(session, frame, used, source.count(), 0, output);
  io::FrameSink sink = session.open_frames(output, {.count = source.count(),
                                                    .are_slices = !source.is_film(),
                                                    .seconds = source.film().seconds,
                                                    .first = source.number(0)});
  if (session.common().dry_run) return done;
  Film(session, source, used, output.type).run(sink);
  report_speed(session, source.count());
  return done;
}

}  // namespace meander::app
