// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <memory>

#include "react.hpp"

namespace meander::app {
namespace {

/// The frames of a film, one after the other: slices of a stack or files with numbers.
class FrameSource {
 public:
  FrameSource(const std::string& path, const io::ReadOptions& options)
      : path_(path), options_(options) {
    if (io::is_sequence(path)) files_ = io::sequence_files(path);
    reader_ =
        std::make_unique<io::Reader>(files_.empty() ? path : files_.front().string(), options);
    frame_ = reader_->description();
    count_ = files_.empty() ? frame_.shape.z : static_cast<std::int64_t>(files_.size());
    if (!files_.empty() && frame_.shape.z > 1) {
      throw Unsupported(fmt::format("{}: a frame has 2 axes, found {}", files_.front().string(),
                                    to_string(frame_.shape)));
    }
    frame_.shape.z = 1;
  }

  const Description& frame() const { return frame_; }
  std::int64_t count() const { return count_; }

  Image read(std::int64_t index) {
    if (files_.empty()) {
      // Slabs of a stack run along z; of a single image along y, which is then all of it.
      return count_ == 1 ? reader_->read() : reader_->slab(index, index + 1);
    }
    const std::string file = files_[static_cast<std::size_t>(index)];
    if (index > 0) reader_ = std::make_unique<io::Reader>(file, options_);
    const Description& found = reader_->description();
    if (found.shape != frame_.shape || found.channels != frame_.channels ||
        found.type != frame_.type) {
      throw MalformedFile(
          fmt::format("{}: a frame of {} {} with {} channels, expected {} {} with {} as the first",
                      file, to_string(found.shape), name_of(found.type), found.channels,
                      to_string(frame_.shape), name_of(frame_.type), frame_.channels));
    }
    return reader_->read();
  }

 private:
  const std::string path_;
  const io::ReadOptions options_;
  std::vector<std::filesystem::path> files_;
  std::unique_ptr<io::Reader> reader_;
  Description frame_;
  std::int64_t count_ = 0;
};

/// Where they go: a stack, a GIF, or files with numbers from 0 on.
class FrameSink {
 public:
  FrameSink(const std::string& path, const Description& frame, std::int64_t count) : path_(path) {
    if (io::is_sequence(path)) {
      io::Writer refuses_now(io::sequence_file(path, 0), frame);
      return;
    }
    Description stack = frame;
    stack.shape.z = count;
    stack_.emplace(path, stack);
  }

  void write(std::int64_t index, const Image& frame) {
    if (stack_) {
      stack_->append(frame);
    } else {
      io::write(io::sequence_file(path_, index), frame);
    }
  }
  void finish() {
    if (stack_) stack_->finish();
  }

 private:
  const std::string path_;
  std::optional<io::Writer> stack_;
};

void refuse_what_stills_have(const ReactVerbOptions& given) {
  if (given.snapshots || !given.sheet.empty() || given.repeat) {
    throw InvalidArgument("--snapshots, --sheet and --repeat are for single images, not for films");
  }
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
  session.say(fmt::format("{} frames, {:.1f} a second ({:.1f} without reading and writing)", frames,
                          per_second(all), per_second(compute)));
}

/// What the first frame has for a window and a map serves all: one for each would flicker.
void settle_window(Session& session, ReactOptions& used, FrameSource& source) {
  const bool found =
      used.window.kind == ReactWindow::Kind::range ||
      (used.window.kind == ReactWindow::Kind::full && !is_integer(source.frame().type));
  if (!found) return;
  const Statistics first =
      session.report().timed("read", [&] { return statistics(source.read(0)); });
  if (first.max > first.min) used.window = {first.min, first.max};
}

}  // namespace

int run_react_film(Session& session, const ReactVerbOptions& given) {
  refuse_what_stills_have(given);
  FrameSource source(session.argument(0), session.read_options());
  const Description& frame = source.frame();
  ReactOptions used = options_for(session, given, frame.shape);
  Description input = frame;
  input.shape.z = source.count();
  session.report().add_input(session.argument(0), input);
  report_react_plan(session, used, react_dt_limit(frame.shape, used));
  check_react_memory(session, frame, used);
  if (!session.common().dry_run) settle_window(session, used, source);
  Reactor reactor(session.device(), frame, used);
  Description output = frame;
  output.channels *= used.layer == ReactLayer::both ? 2 : 1;
  output.type = react_type(given, used, session.argument(1), frame.type);
  ReactFigures map;
  FrameSink sink(session.argument(1), output, source.count());
  output.shape.z = source.count();
  session.report().add_output(session.argument(1), output);
  if (session.common().dry_run) return done;

  Report& report = session.report();
  for (std::int64_t i = 0; i < source.count(); ++i) {
    const auto part = [&](double share) {
      return (static_cast<double>(i) + share) / static_cast<double>(source.count());
    };
    const Image image =
        report.timed("read", [&] { return session.device().upload(source.read(i)); });
    Image layers = report.timed("compute", [&] {
      Image states = reactor.run(image, session.control(part(0), part(1)));
      if (i == 0) map = reactor.figures();
      Image pixels = react_pixels(states, used, map, output.type);
      session.device().synchronize();
      return pixels;
    });
    report.timed("write", [&] { sink.write(i, layers.download()); });
  }
  report_react_figures(session, used, reactor.figures());
  report.timed("write", [&] { sink.finish(); });
  report_speed(session, source.count());
  return done;
}

}  // namespace meander::app
