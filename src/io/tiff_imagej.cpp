// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/spacing.hpp"
#include "io/tiff_notes.hpp"
#include "meander/options.hpp"

namespace meander::io {
namespace {

void take_note(ImageJNotes& notes, std::string_view key, std::string_view value) {
  const auto count = [&](std::int64_t& into) {
    const auto number = whole_number(value);
    if (number && *number > 0) into = *number;
  };
  if (key == "images") count(notes.images);
  if (key == "channels") count(notes.channels);
  if (key == "slices") count(notes.slices);
  if (key == "frames") count(notes.frames);
  if (key == "unit") notes.unit = value;
  if (key == "spacing") notes.slice_distance = positive_number(value);
  if (key == exact_spacing_key) notes.exact = spacing_in(value);
}

}  // namespace

std::optional<ImageJNotes> imagej_notes(std::string_view text) {
  if (!text.starts_with("ImageJ=")) return std::nullopt;
  ImageJNotes notes;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    take_note(notes, line.substr(0, equals), line.substr(equals + 1));
  }
  return notes;
}

std::string imagej_text(const Description& description) {
  const Spacing& spacing = description.spacing;
  std::string text = "ImageJ=1.53t\n";
  if (description.shape.z > 1) {
    const std::string slices = std::to_string(description.shape.z);
    text += "images=" + slices + "\nslices=" + slices + "\nloop=false\n";
  }
  if (spacing == Spacing{}) return text;
  // ImageJ calls it a pixel when there is no physical unit.
  const bool physical = spacing.unit != Unit::pixel;
  text += "unit=" + std::string(physical ? name_of(spacing.unit) : "pixel") + "\n";
  text += "spacing=" + OptionText<double>::format(spacing.z) + "\n";
  return text + std::string(exact_spacing_key) + "=" + exact_text(spacing) + "\n";
}

}  // namespace meander::io
