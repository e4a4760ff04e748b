// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <utility>
#include <vector>

#include "io/spacing.hpp"
#include "io/tiff_notes.hpp"
#include "meander/options.hpp"

namespace meander::io {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::size_t most_attributes = 256;

/// The inside of the first start tag of that name, with or without a namespace prefix.
std::string_view start_tag(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool begins = at > 0 && (text[at - 1] == '<' || text[at - 1] == ':');
    const std::string_view rest = text.substr(at + name.size());
    if (begins && !rest.empty() && blanks.find(rest.front()) != std::string_view::npos) return rest;
  }
  return {};
}

using Attribute = std::pair<std::string_view, std::string_view>;

/// name="value" pairs up to the end of the tag, or to the first thing that is not one.
std::vector<Attribute> attributes(std::string_view tag) {
  std::vector<Attribute> found;
  while (found.size() < most_attributes) {
    const auto start = tag.find_first_not_of(blanks);
    if (start == std::string_view::npos) break;
    tag.remove_prefix(start);
    const auto equals = tag.find('=');
    if (tag.front() == '>' || tag.front() == '/' || equals == std::string_view::npos) break;
    const std::string_view name = tag.substr(0, equals);
    tag.remove_prefix(equals + 1);
    if (tag.empty() || (tag.front() != '"' && tag.front() != '\'')) break;
    const auto end = tag.find(tag.front(), 1);
    if (end == std::string_view::npos) break;
    found.emplace_back(name, tag.substr(1, end - 1));
    tag.remove_prefix(end + 1);
  }
  return found;
}

/// Units are written with a letter mu that may be a character reference.
std::string without_references(std::string_view value) {
  std::string text(value);
  for (const std::string_view mu : {"&#181;", "&#xB5;", "&#xb5;", "&#956;", "&#x3BC;", "&#x3bc;"}) {
    const auto at = text.find(mu);
    if (at != std::string::npos) text.replace(at, mu.size(), "\u00b5");
  }
  for (const std::string_view angstrom : {"&#197;", "&#xC5;", "&#xc5;"}) {
    const auto at = text.find(angstrom);
    if (at != std::string::npos) text.replace(at, angstrom.size(), "\u00c5");
  }
  return text;
}

void take_note(OmeNotes& notes, const Attribute& attribute) {
  const auto& [name, value] = attribute;
  const auto count = [&value = value](std::int64_t& into) {
    const auto number = whole_number(value);
    if (number && *number > 0) into = *number;
  };
  if (name == "SizeZ") count(notes.size_z);
  if (name == "SizeC") count(notes.size_c);
  if (name == "SizeT") count(notes.size_t);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string key = std::string("PhysicalSize") + "XYZ"[axis];
    if (name == key) notes.physical_size[axis] = positive_number(value);
    if (name == key + "Unit") notes.unit[axis] = without_references(value);
  }
}

std::string_view ome_type(PixelType type) {
  constexpr std::string_view names[] = {"uint8", "uint16", "int16", "", "float", "double"};
  return names[static_cast<std::size_t>(type)];
}

std::string_view ome_unit(Unit unit) {
  if (unit == Unit::pixel) return "pixel";
  return unit == Unit::micrometre ? "&#181;m" : name_of(unit);  // descriptions are ASCII
}

std::string attribute_text(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + std::string(value) + "\"";
}

std::string physical_size_text(const Spacing& spacing) {
  if (spacing == Spacing{}) return {};
  std::string text;
  const std::pair<char, double> axes[] = {{'X', spacing.x}, {'Y', spacing.y}, {'Z', spacing.z}};
  for (const auto& [axis, step] : axes) {
    const std::string name = std::string("PhysicalSize") + axis;
    text += attribute_text(name, OptionText<double>::format(step));
    text += attribute_text(name + "Unit", ome_unit(spacing.unit));
  }
  return text;
}

}  // namespace

std::optional<OmeNotes> ome_notes(std::string_view text) {
  const std::string_view root = start_tag(text, "OME");
  const std::string_view pixels = start_tag(root, "Pixels");
  if (pixels.empty()) return std::nullopt;
  OmeNotes notes;
  for (const Attribute& attribute : attributes(pixels)) take_note(notes, attribute);
  return notes;
}

std::optional<Spacing> spacing_of(const OmeNotes& notes) {
  if (!notes.physical_size[0]) return std::nullopt;
  const Length base = length_named(notes.unit[0]).value_or(Length{});
  const auto step = [&](std::size_t axis) {
    const Length length = length_named(notes.unit[axis]).value_or(Length{});
    const double size = notes.physical_size[axis].value_or(1) * length.factor;
    const bool same = length.unit == base.unit || metres_per(length.unit) == 0;
    if (same || metres_per(base.unit) == 0) return size;
    return size * (metres_per(length.unit) / metres_per(base.unit));
  };
  const Spacing spacing{step(0), step(1), step(2), base.unit};
  return spacing;
}

std::string ome_text(const Description& description) {
  const Shape& shape = description.shape;
  const std::string channels = std::to_string(description.channels);
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?><OME"
      " xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\""
      " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
      " xsi:schemaLocation=\"http://www.openmicroscopy.org/Schemas/OME/2016-06"
      " http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd\" Creator=\"Meander\">"
      "<Image ID=\"Image:0\"><Pixels ID=\"Pixels:0\" DimensionOrder=\"XYCZT\"";
  text += attribute_text("Type", ome_type(description.type));
  text += attribute_text("SizeX", std::to_string(shape.x));
  text += attribute_text("SizeY", std::to_string(shape.y));
  text += attribute_text("SizeZ", std::to_string(shape.z));
  text += attribute_text("SizeC", channels) + attribute_text("SizeT", "1");
  text += physical_size_text(description.spacing);
  return text + "><Channel ID=\"Channel:0:0\"" + attribute_text("SamplesPerPixel", channels) +
         "/><TiffData/></Pixels></Image></OME>";
}

}  // namespace meander::io
