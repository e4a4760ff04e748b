// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "meander/picture.hpp"
#include "react/react.hpp"
#include "session/timed_compute.hpp"

namespace meander::app {
namespace {

/// Frames of an evolution when nobody says which.
constexpr std::int64_t default_frames = 40;

/// One run of the verb over one image.
class Still {
 public:
  Still(Session& session, const ReactVerbOptions& given, io::Reader& reader)
      : session_(session),
        given_(given),
        reader_(reader),
        input_(without_alpha(reader)),
        used_(options_for(session, given, input_.shape)),
        shows_evolution_(is_gif(session.argument(1))) {
    session.report().add_input(session.argument(0), input_, reader.film());
    report_react_plan(session, used_, react_dt_limit(input_.shape, used_));
    settle_snapshots();
    settle_output();
  }

  int run();

 private:
  void settle_snapshots();
  void settle_output();
  Image read();
  void take(std::int64_t step, const Image& layers);
  void add_to_sheet(std::int64_t step, const Image& both);
  void write_snapshot(std::int64_t step, const Image& layers);
  void compute(Reactor& reactor, const Image& image, io::Writer& writer);
  /// For a sheet both layers are run, and OUT gets the one that was asked for.
  Image asked_for(const Image& layers) const {
    if (given_.sheet.empty() || used_.layer == ReactLayer::both) return layers;
    return session_.device().upload(layer_of(layers, used_.layer));
  }
  Image pixels_of(const Image& layers, const ReactFigures& figures) const {
    return react_pixels(layers, used_, figures, output_.type).download();
  }

  Session& session_;
  const ReactVerbOptions& given_;
  io::Reader& reader_;
  const Description input_;
  const ReactOptions used_;
  const bool shows_evolution_;
  std::vector<std::int64_t> snapshots_;
  Description output_;
  ReactFigures figures_;  ///< The maps of snapshots begin from these.
  io::Writer* writer_ = nullptr;
  std::vector<std::vector<Tile>> sheet_;  ///< A row for each layer.
  std::int64_t frames_ = 0;               ///< Of an evolution, written so far.
  double snapshot_seconds_ = 0;
};

/// Rising, and none beyond the end.
void Still::settle_snapshots() {
  if (given_.snapshots) snapshots_ = *given_.snapshots;
  if (shows_evolution_ && snapshots_.empty()) {
    const std::int64_t frames = std::min(used_.steps, default_frames);
    for (std::int64_t i = 0; i <= frames; ++i) {
      snapshots_.push_back(frames == 0 ? 0 : used_.steps * i / frames);
    }
  }
  std::sort(snapshots_.begin(), snapshots_.end());
  snapshots_.erase(std::unique(snapshots_.begin(), snapshots_.end()), snapshots_.end());
  if (!snapshots_.empty() && snapshots_.back() > used_.steps) {
    throw InvalidArgument(
        fmt::format("--snapshots: {} is beyond the last step, {}", snapshots_.back(), used_.steps));
  }
  if (!given_.sheet.empty() && snapshots_.empty()) {
    throw InvalidArgument("--sheet: expected --snapshots, which say what to show");
  }
  if (given_.repeat && !snapshots_.empty()) {
    throw InvalidArgument("--repeat times one computation, expected no snapshots and no GIF");
  }
}

void Still::settle_output() {
  const std::string& path = session_.argument(1);
  if (io::is_sequence(path)) {
    throw InvalidArgument(path +
                          ": numbered files are for films, expected --slice all or one name");
  }
  if (shows_evolution_ && input_.shape.z > 1) {
    throw Unsupported(fmt::format("{}: a GIF shows the evolution of an image of 2 axes, found {}",
                                  path, to_string(input_.shape)));
  }
  if (!given_.sheet.empty() &&
      (given_.sheet == path || !io::can_hold(given_.sheet, PixelType::u8))) {
    throw Unsupported(given_.sheet + ": expected a picture of its own, as sheet.png");
  }
  output_ = react_output(given_, used_, path, input_);
  if (shows_evolution_) output_.shape.z = static_cast<std::int64_t>(snapshots_.size());
  session_.report().add_output(path, output_);
  session_.report().set_option("type", name_of(output_.type));
}

int Still::run() {
  ReactOptions to_run = used_;
  if (!given_.sheet.empty()) to_run.layer = ReactLayer::both;
  // A snapshot holds its layers while the run goes on; of two layers one is taken out.
  const int layers_kept = (snapshots_.empty() ? 0 : 1) + (given_.sheet.empty() ? 0 : 1);
  Description frame = output_;
  frame.shape = input_.shape;
  const std::int64_t runs = shows_evolution_ ? 2 : given_.repeat.value_or(0) + 1;
  check_react_memory(session_, input_, to_run, runs, layers_kept, frame);
  Reactor reactor(session_.device(), input_, to_run);
  io::Writer& writer = session_.open_out(output_);
  say_if_lowered(session_, given_, used_);
  if (session_.common().dry_run) return done;
  writer_ = &writer;
  compute(reactor, read(), writer);
  report_react_figures(session_, used_, reactor.figures());
  say_if_beyond(session_, reactor.figures().window, reactor.figures().beyond);
  if (!given_.sheet.empty()) {
    session_.report().timed("write", [&] {
      io::write(given_.sheet, contact_sheet(sheet_, 512, {.stop = session_.control().stop}),
                session_.write_options(given_.sheet));
    });
    session_.report().add_output(given_.sheet);
  }
  session_.report().timed("write", [&] { session_.finish_out(); });
  return done;
}

Image Still::read() {
  return session_.report().timed("read", [&] {
    return session_.device().upload(
        first_channels(reader_.read(session_.control(0, 0.2)), input_.channels));
  });
}

void Still::compute(Reactor& reactor, const Image& image, io::Writer& writer) {
  Image layers;
  const ReactSnapshots snapshots{
      .at = snapshots_, .take = [this](std::int64_t step, const Image& now) { take(step, now); }};
  // The frames of an evolution share the map of its end, which a first run finds.
  const std::string& file = session_.argument(0);
  Report& report = session_.report();
  if (shows_evolution_) {
    report.timed("compute", [&] {
      run_named(file, [&] { return reactor.run(image, {}, session_.control(0.2, 0.4)); });
    });
  }
  const double first_run = report.seconds("compute");
  figures_ = reactor.figures();
  timed_compute(session_, given_.repeat, [&] {
    layers = Image();
    layers =
        run_named(file, [&] { return reactor.run(image, snapshots, session_.control(0.4, 0.8)); });
  });
  report.set_seconds("compute", first_run + report.seconds("compute") - snapshot_seconds_);
  if (shows_evolution_) {
    // What has settled stays as it is.
    report.timed("write", [&] {
      for (; frames_ < output_.shape.z; ++frames_) {
        writer.append(pixels_of(asked_for(layers), figures_));
      }
    });
    return;
  }
  report.timed("write", [&] {
    writer.append(
        counted_pixels(session_, asked_for(layers), used_, reactor.figures(), output_.type)
            .download(),
        session_.control(0.8, 1));
  });
}

/// Pictures and files are no part of the computation.
void Still::take(std::int64_t step, const Image& layers) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  session_.report().timed("write", [&] {
    if (!given_.sheet.empty()) add_to_sheet(step, layers);
    if (shows_evolution_) {
      writer_->append(pixels_of(asked_for(layers), figures_));
      ++frames_;
    } else if (given_.sheet.empty()) {
      write_snapshot(step, layers);
    }
  });
  snapshot_seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Of a volume its middle slice; of many channels the first, unless they are three.
void Still::add_to_sheet(std::int64_t step, const Image& both) {
  sheet_.resize(2);
  for (const ReactLayer layer : {ReactLayer::u, ReactLayer::v}) {
    ReactOptions map = used_;
    map.layer = layer;
    Image image = layer_of(both, layer);
    if (image.shape().z > 1) {
      image = image.slices(image.shape().z / 2, image.shape().z / 2 + 1);
    }
    if (image.channels() != 3) image = image.channel(0);
    const ReactFigures figures = figures_of(image, layer, figures_);
    const std::string name = OptionText<ReactLayer>::format(layer);
    sheet_[layer == ReactLayer::u ? 0 : 1].push_back(
        {.picture = react_pixels(image, map, figures, PixelType::u8),
         .label = fmt::format("{} T={}", name, step)});
  }
}

void Still::write_snapshot(std::int64_t step, const Image& layers) {
  std::filesystem::path path = session_.argument(1);
  const auto digits = std::to_string(used_.steps).size();
  path.replace_filename(
      fmt::format("{}_t{:0{}}{}", path.stem().string(), step, digits, path.extension().string()));
  io::write(path, pixels_of(layers, figures_of(layers, used_.layer, figures_)),
            session_.write_options(path));
  session_.report().add_output(path, output_);
}

}  // namespace

int run_react_still(Session& session, const ReactVerbOptions& given, io::Reader& reader) {
  return Still(session, given, reader).run();
}

}  // namespace meander::app
