// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/smooth/run.hpp"

#include "core/image_state.hpp"

namespace meander {
namespace {

bool same_pixels(const Image& a, const Image& b) {
  const engine::View &left = a.state().view, &right = b.state().view;
  return left.memory == right.memory && left.offset == right.offset;
}

}  // namespace

SmoothRun::SmoothRun(const SmoothDesign& design, const Device& device)
    : design_(design), device_(device) {
  for (int k = 0; k < static_cast<int>(design.components.size()); ++k) {
    passes_.push_back(passes_of(design, k));
  }
}

void SmoothRun::set_border(const BorderRule& border) {
  for (auto& passes : passes_) meander::set_border(passes, border);
}

const AxisPass& SmoothRun::first_pass(int group) const {
  const int component = design_.groups[static_cast<std::size_t>(group)][0];
  return passes_[static_cast<std::size_t>(component)][0];
}

bool SmoothRun::needs_scratch(bool aliased) const {
  for (const auto& group : design_.groups) {
    // A pass may read one image and write another if it is the first of its chain.
    const std::size_t free = group.size() > 1 ? 2 : aliased ? 0 : 1;
    for (const int component : group) {
      const auto& passes = passes_[static_cast<std::size_t>(component)];
      for (std::size_t i = free; i < passes.size(); ++i) {
        if (!passes[i].runs_in_place(device_)) return true;
      }
    }
  }
  return false;
}

Image SmoothRun::plane_like(const Image& image, Image& kept) const {
  if (kept.empty() || kept.description() != image.description()) {
    kept = Image();  // given back before the next is taken
    kept = device_.allocate(image.description());
  }
  return kept;
}

/// The last pass ends in `out`, and each before it in `out` too if the next one runs in place, else
/// in the scratch plane.
void SmoothRun::chain(std::span<const AxisPass> passes, const Image& in, const Image& out,
                      SmoothProgress& progress) {
  engine::Backend& backend = device_.backend();
  if (passes.empty()) {
    if (!same_pixels(in, out)) backend.convert(in.state().view, out.state().view, {});
    return;
  }
  std::vector<bool> into_scratch(passes.size());
  bool scratch = false;
  for (std::size_t i = passes.size(); i-- > 0;) {
    into_scratch[i] = scratch;
    if (!passes[i].runs_in_place(device_)) scratch = !scratch;
  }
  Image from = in;
  if (scratch && same_pixels(in, out)) {
    from = plane_like(out, scratch_);
    backend.convert(in.state().view, from.state().view, {});
  }
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const Image to = into_scratch[i] ? plane_like(out, scratch_) : out;
    run_pass(passes[i], from, to, progress);
    from = to;
  }
}

void SmoothRun::component(int index, const Image& in, std::size_t begun, int channel,
                          const Image& out, SmoothProgress& progress) {
  const auto passes = std::span(passes_[static_cast<std::size_t>(index)]).subspan(begun);
  const auto count = static_cast<int>(design_.components.size());
  if (!design_.fold) return chain(passes, in, out.channel(channel * count + index), progress);
  const Image sum = out.channel(channel);
  if (index == 0) return chain(passes, in, sum, progress);
  const Image term = plane_like(sum, folded_);
  chain(passes, in, term, progress);
  device_.backend().pointwise(*design_.fold, sum.state().view, term.state().view, {},
                              sum.state().view);
}

void SmoothRun::rest_of_group(int group, const Image& first, const Image& out,
                              SmoothProgress& progress) {
  if (design_.components.size() == 1) {
    return chain(std::span(passes_[0]).subspan(1), first, out, progress);
  }
  for (int channel = 0; channel < first.channels(); ++channel) {
    for (const int index : design_.groups[static_cast<std::size_t>(group)]) {
      component(index, first.channel(channel), 1, channel, out, progress);
    }
  }
}

void SmoothRun::whole(const Image& in, const Image& out, SmoothProgress& progress) {
  if (design_.components.size() == 1) return chain(passes_[0], in, out, progress);
  // Channel by channel, so that what is held beside the result is planes, not images.
  Image first;
  for (int channel = 0; channel < in.channels(); ++channel) {
    for (int group = 0; group < static_cast<int>(design_.groups.size()); ++group) {
      const auto& members = design_.groups[static_cast<std::size_t>(group)];
      const bool shared = members.size() > 1;
      if (shared) {
        run_pass(first_pass(group), in.channel(channel), plane_like(out.channel(0), first),
                 progress);
      }
      for (const int index : members) {
        component(index, shared ? first : in.channel(channel), shared ? 1 : 0, channel, out,
                  progress);
      }
    }
  }
}

double numbers_passed(const SmoothDesign& design) {
  double passes = 0;
  const auto axes = static_cast<double>(design.axes.size());
  for (const auto& group : design.groups) {
    const auto size = static_cast<double>(group.size());
    passes += group.size() > 1 ? 1 + size * (axes - 1) : axes;
  }
  return passes * static_cast<double>(design.input.numbers());
}

}  // namespace meander
