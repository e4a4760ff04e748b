// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "core/image_state.hpp"
#include "engine/ghost.hpp"
#include "filter/check.hpp"
#include "filter/smooth/run.hpp"
#include "filter/smooth/slabs.hpp"

namespace meander {
namespace {

using engine::Direction;
using engine::StateMap;
using Source = std::function<Image(std::int64_t begin, std::int64_t end)>;

/// A layer on its way through the pass along the slabs that a group of components shares.
struct Track {
  int layer = 0;
  int spill = 0;  ///< Its place in the spill file, of a recurrence.
  AxisPass pass;
  Image state;
};

class SlabSmoother {
 public:
  SlabSmoother(const SmoothStream& stream, const SmoothDesign& design, const SlabPlan& plan,
               const SmoothOptions& options, const Device& device, const Control& control);
  void run();
  double spill_seconds() const { return spill_.seconds(); }

 private:
  Description slab_of(const Description& whole, std::int64_t height) const {
    return along_.with_length(whole, height);
  }
  void make_tracks();
  double numbers_in_all() const;
  engine::View edge_at(std::int64_t pixel, const BorderRule& border, const Source& source) const;
  void start(Track& track, Direction direction, const Source& source);
  void start_forward(Track& track);
  Source input_of(const Track& track);
  Source spilled_of(const Track& track);

  void backward_slab(std::int64_t begin, std::int64_t end);
  void forward_slab(std::int64_t begin, std::int64_t end);
  Image forward(Track& track, const std::vector<Image>& input, std::int64_t begin,
                std::int64_t end);
  void separate_slab(std::int64_t begin, std::int64_t end);
  void finish_slab(std::int64_t begin, std::int64_t end, const Image& out, const Image& weights);

  const SmoothStream& stream_;
  const SmoothDesign& design_;
  const SlabPlan& plan_;
  const SmoothOptions& options_;
  const Device device_;
  engine::Backend& backend_;
  const SlabAxis along_;
  const Control& control_;
  Description first_;  ///< What the first pass makes of a layer.
  SlabLayers layers_;
  SmoothRun run_;
  SlabSpill spill_;
  std::vector<std::vector<Track>> tracks_;  ///< By group and layer.
  SmoothProgress progress_;
};

Description of_first_pass(const SmoothDesign& design) {
  Description first = design.output;
  first.channels = design.input.channels;
  return first;
}

SlabSmoother::SlabSmoother(const SmoothStream& stream, const SmoothDesign& design,
                           const SlabPlan& plan, const SmoothOptions& options, const Device& device,
                           const Control& control)
    : stream_(stream),
      design_(design),
      plan_(plan),
      options_(options),
      device_(device),
      backend_(device_.backend()),
      along_(stream.image.shape),
      control_(control),
      first_(of_first_pass(design)),
      layers_(stream, design, options.border, device),
      run_(design, device),
      spill_(first_, plan.tracks, stream.spill_folder, device),
      progress_(control_, numbers_in_all()) {}

double SlabSmoother::numbers_in_all() const {
  return layers_.count() * numbers_passed(design_) +
         plan_.tracks * static_cast<double>(design_.input.numbers());
}

void SlabSmoother::make_tracks() {
  int spilled = 0;
  for (int group = 0; group < static_cast<int>(design_.groups.size()); ++group) {
    auto& tracks = tracks_.emplace_back();
    for (int layer = 0; layer < layers_.count(); ++layer) {
      run_.set_border(layers_.border_of(layer));
      Track track{.layer = layer, .pass = run_.first_pass(group)};
      if (!track.pass.is_fir()) {
        track.spill = spilled++;
        track.state =
            device_.allocate(slab_of(first_, backend_.state_numbers(track.pass.recurrence)));
      }
      tracks.push_back(std::move(track));
    }
  }
}

Source SlabSmoother::input_of(const Track& track) {
  return [this, layer = static_cast<std::size_t>(track.layer)](
             std::int64_t begin, std::int64_t end) { return layers_.read(begin, end)[layer]; };
}

Source SlabSmoother::spilled_of(const Track& track) {
  return [this, index = track.spill](std::int64_t begin, std::int64_t end) {
    return spill_.read(index, begin, end, control_);
  };
}

engine::View SlabSmoother::edge_at(std::int64_t pixel, const BorderRule& border,
                                   const Source& source) const {
  if (border.kind != Border::constant) return source(pixel, pixel + 1).state().view;
  return constant_view(device_, first_.type, border.value, slab_of(first_, 1).shape,
                       first_.channels);
}

/// The state with which a pass begins at its end of the image; see engine::Recurrence.
void SlabSmoother::start(Track& track, Direction direction, const Source& source) {
  const engine::Recurrence& recurrence = track.pass.recurrence;
  const engine::View& state = track.state.state().view;
  const bool backward = direction == Direction::backward;
  const std::int64_t farthest =
      backward ? plan_.length - 1 + recurrence.warmup : -recurrence.warmup;
  const std::int64_t pixel =
      engine::ghost_index(farthest, plan_.length, static_cast<int>(recurrence.border.kind));
  const engine::View edge = edge_at(pixel, recurrence.border, source);
  backend_.scan_state(edge, state, track.pass.axis, StateMap::start, recurrence);
  if (recurrence.warmup == 0) return;
  for (const GhostRun& run : ghost_runs(farthest, backward ? -1 : 1, recurrence.warmup,
                                        plan_.length, recurrence.border.kind, plan_.height)) {
    // Without a result only the order in which the pixels are met matters.
    backend_.scan_part(source(run.begin, run.end).state().view, {}, state, track.pass.axis,
                       run.ascending ? Direction::forward : Direction::backward, recurrence, {});
    device_.synchronize();
  }
  backend_.scan_state(edge, state, track.pass.axis, StateMap::wrap, recurrence);
}

/// The forward pass of a cascade goes on from the backward pass.
void SlabSmoother::start_forward(Track& track) {
  const engine::Recurrence& recurrence = track.pass.recurrence;
  if (track.pass.is_sum()) return start(track, Direction::forward, input_of(track));
  if (recurrence.border.kind == Border::periodic)
    return start(track, Direction::forward, spilled_of(track));
  const engine::View edge = edge_at(0, recurrence.border, input_of(track));
  backend_.scan_state(edge, track.state.state().view, track.pass.axis, StateMap::turn, recurrence);
}

void SlabSmoother::backward_slab(std::int64_t begin, std::int64_t end) {
  const std::vector<Image> input = layers_.read(begin, end);
  const Image result = device_.allocate(slab_of(first_, end - begin));
  for (auto& group : tracks_) {
    for (Track& track : group) {
      if (track.pass.is_fir()) continue;
      backend_.scan_part(input[static_cast<std::size_t>(track.layer)].state().view,
                         result.state().view, track.state.state().view, track.pass.axis,
                         Direction::backward, track.pass.recurrence, {begin, plan_.length});
      progress_.add(static_cast<double>(result.description().numbers()));
      spill_.write(track.spill, begin, result, control_);
    }
  }
}

Image SlabSmoother::forward(Track& track, const std::vector<Image>& input, std::int64_t begin,
                            std::int64_t end) {
  const std::int64_t halo = plan_.halo, height = end - begin;
  const auto layer = static_cast<std::size_t>(track.layer);
  progress_.add(static_cast<double>(slab_of(first_, height).numbers()));
  if (track.pass.is_fir()) {
    const Image extended = device_.allocate(slab_of(first_, height + 2 * halo));
    backend_.fir(input[layer].state().view, extended.state().view, track.pass.axis,
                 track.pass.weights, track.pass.border);
    return along_.part(extended, halo, halo + height);
  }
  const Image result = spill_.read(track.spill, begin, end, control_);
  // The next track's, or of the first one the next slab.
  const bool is_last = track.spill + 1 == plan_.tracks;
  const std::int64_t next = is_last ? end : begin;
  if (next < plan_.length) {
    spill_.expect(is_last ? 0 : track.spill + 1, next, std::min(next + plan_.height, plan_.length),
                  control_);
  }
  const Image in = track.pass.is_sum() ? along_.part(input[layer], halo, halo + height) : result;
  backend_.scan_part(in.state().view, result.state().view, track.state.state().view,
                     track.pass.axis, Direction::forward, track.pass.recurrence,
                     {begin, plan_.length});
  return result;
}

void SlabSmoother::forward_slab(std::int64_t begin, std::int64_t end) {
  const bool reads = std::ranges::any_of(tracks_, [](const std::vector<Track>& group) {
    return group[0].pass.is_fir() || group[0].pass.is_sum();
  });
  std::vector<Image> input;
  if (reads) input = layers_.read_beyond(begin - plan_.halo, end + plan_.halo, plan_.halo);
  const Image out = device_.allocate(slab_of(design_.output, end - begin));
  Image weights;
  for (int group = 0; group < static_cast<int>(tracks_.size()); ++group) {
    for (Track& track : tracks_[static_cast<std::size_t>(group)]) {
      const Image first = forward(track, input, begin, end);
      run_.set_border(layers_.border_of(track.layer));
      run_.rest_of_group(group, first, track.layer == 0 ? out : first, progress_);
      if (track.layer > 0) weights = first;
      device_.synchronize();  // lets go of what this group took
    }
  }
  input.clear();
  finish_slab(begin, end, out, weights);
}

void SlabSmoother::separate_slab(std::int64_t begin, std::int64_t end) {
  std::vector<Image> input = layers_.read(begin, end);
  const Image out = device_.allocate(slab_of(design_.output, end - begin));
  for (int layer = 0; layer < layers_.count(); ++layer) {
    const Image& in = input[static_cast<std::size_t>(layer)];
    run_.set_border(layers_.border_of(layer));
    run_.whole(in, layer == 0 ? out : in, progress_);
  }
  const Image weights = layers_.count() > 1 ? input[1] : Image();
  input.clear();  // what is written may need the room
  finish_slab(begin, end, out, weights);
}

void SlabSmoother::finish_slab(std::int64_t begin, std::int64_t end, const Image& out,
                               const Image& weights) {
  if (!weights.empty()) layers_.divide(begin, end, out, weights, options_.nonfinite);
  stream_.write(out.download());
}

void SlabSmoother::run() {
  const bool along_slabs = filters_along_slabs(design_);
  if (along_slabs) make_tracks();
  const std::int64_t height = plan_.height, slabs = (plan_.length + height - 1) / height;
  const auto end_of = [&](std::int64_t slab) {
    return std::min((slab + 1) * height, plan_.length);
  };
  const auto for_recurrences = [&](const std::function<void(Track&)>& f) {
    for (auto& group : tracks_) {
      for (Track& track : group) {
        if (!track.pass.is_fir()) f(track);
      }
    }
  };
  for_recurrences([&](Track& track) {
    start(track, Direction::backward, input_of(track));
    device_.synchronize();  // lets go of the slice at the end before the next track reads its own
  });
  for (std::int64_t slab = slabs; slab-- > 0 && plan_.tracks > 0;) {
    backward_slab(slab * height, end_of(slab));
  }
  for_recurrences([&](Track& track) {
    start_forward(track);
    device_.synchronize();
  });
  for (std::int64_t slab = 0; slab < slabs; ++slab) {
    if (along_slabs) {
      forward_slab(slab * height, end_of(slab));
    } else {
      separate_slab(slab * height, end_of(slab));
    }
  }
}

void check_finite(const SmoothStream& stream, const SlabPlan& plan, const Device& device,
                  const Control& control) {
  if (is_integer(stream.image.type)) return;
  std::int64_t count = 0;
  for (std::int64_t begin = 0; begin < plan.length; begin += plan.height) {
    control.step(0);
    const std::int64_t end = std::min(begin + plan.height, plan.length);
    count += count_nonfinite(device.upload(stream.read(begin, end)));
  }
  refuse_nonfinite(count);
}

}  // namespace

double smooth_stream(const SmoothStream& stream, const SmoothOptions& options, const Device& device,
                     const Control& control) {
  const bool with_mask = static_cast<bool>(stream.read_mask);
  const SmoothDesign design = design_smooth(stream.image, options, with_mask);
  check_device(design.output.type, device);
  const SlabPlan plan = plan_slabs(design, device, with_mask, stream.memory_bytes);
  if (options.nonfinite == Nonfinite::error) check_finite(stream, plan, device, control);
  SlabSmoother smoother(stream, design, plan, options, device, control);
  smoother.run();
  return smoother.spill_seconds();
}

}  // namespace meander
