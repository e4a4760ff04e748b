// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/image/placement.hpp"
#include "io/image/spacing.hpp"
#include "io/tiff/notes.hpp"
#include "meander/options.hpp"

namespace meander::io {
namespace {

/// The interval between frames and its unit, which may come in either order.
struct Interval {
  std::string_view number;
  std::string_view unit = "sec";
};

void take_note(ImageJNotes& notes, std::string_view key, std::string_view value) {
  if (key == "images") notes.images = count_in(value);
  if (key == "channels") notes.channels = count_in(value);
  if (key == "slices") notes.slices = count_in(value);
  if (key == "frames") notes.frames = count_in(value);
  if (key == "order") notes.order = value;
  if (key == "unit") notes.unit = value;
  if (key == "spacing") notes.slice_distance = positive_number(value);
  if (key == exact_spacing_key) notes.exact = spacing_in(value);
  if (key == exact_placement_key) notes.placement = placement_in(value);
}

std::string line(std::string_view key, std::string_view value) {
  return std::string(key).append("=").append(value).append("\n");
}
std::string line(std::string_view key, std::int64_t value) {
  return line(key, std::to_string(value));
}

std::string axes_text(const TiffStack& stack, bool pages_unknown) {
  if (stack.pages() == 1) return {};
  const std::int64_t axes[] = {stack.channel_pages(), stack.image().shape.z, stack.film().frames};
  const std::string_view names[] = {"channels", "slices", "frames"};
  std::string text = line("images", stack.pages());
  // Without an axis they are slices or frames, whoever reads it.
  if (pages_unknown && stack.channel_pages() == 1 && stack.film().frames == 1) return text;
  int long_axes = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (axes[i] == 1) continue;
    text += line(names[i], axes[i]);
    ++long_axes;
  }
  if (long_axes > 1 || axes[1] == 1) text += line("hyperstack", "true");
  if (stack.channel_pages() > 1) text += line("mode", "grayscale");
  return text + line("loop", "false");
}

}  // namespace

std::int64_t count_in(std::string_view text) {
  const auto number = whole_number(text);
  return number && *number > 0 ? *number : 0;
}

std::optional<ImageJNotes> imagej_notes(std::string_view text) {
  if (!text.starts_with("ImageJ=")) return std::nullopt;
  ImageJNotes notes;
  Interval interval;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, equals), value = line.substr(equals + 1);
    take_note(notes, key, value);
    if (key == "finterval") interval.number = value;
    if (key == "tunit") interval.unit = value;
  }
  notes.seconds = seconds_in(interval.number, interval.unit).value_or(0);
  return notes;
}

std::string imagej_text(const TiffStack& stack, bool pages_unknown) {
  const Spacing& spacing = stack.image().spacing;
  const auto& placement = stack.image().placement;
  std::string text = line("ImageJ", "1.53t") + axes_text(stack, pages_unknown);
  if (stack.film().seconds > 0) {
    text += line("finterval", OptionText<double>::format(stack.film().seconds));
  }
  if (spacing == Spacing{} && !placement) return text;
  // ImageJ calls it a pixel when there is no physical unit.
  text += line("unit", spacing.unit != Unit::pixel ? name_of(spacing.unit) : "pixel");
  text += line("spacing", OptionText<double>::format(spacing.z));
  text += line(exact_spacing_key, exact_text(spacing));
  return placement ? text + line(exact_placement_key, exact_text(*placement)) : text;
}

}  // namespace meander::io
