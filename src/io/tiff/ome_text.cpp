// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <utility>

#include "io/tiff/notes.hpp"
#include "meander/options.hpp"

namespace meander::io {
namespace {

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
std::string attribute_text(std::string_view name, std::int64_t value) {
  return attribute_text(name, std::to_string(value));
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

std::string time_text(const Film& film) {
  std::string text = attribute_text("SizeT", film.frames);
  if (!(film.seconds > 0)) return text;
  text += attribute_text("TimeIncrement", OptionText<double>::format(film.seconds));
  return text + attribute_text("TimeIncrementUnit", "s");
}

std::string channels_text(const TiffStack& stack) {
  std::string text;
  for (std::int64_t i = 0; i < stack.channel_pages(); ++i) {
    text += "<Channel" + attribute_text("ID", "Channel:0:" + std::to_string(i)) +
            attribute_text("SamplesPerPixel", stack.page().channels) + "/>";
  }
  return text;
}

}  // namespace

std::string ome_text(const TiffStack& stack) {
  const Description& image = stack.image();
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?><OME"
      " xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\""
      " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
      " xsi:schemaLocation=\"http://www.openmicroscopy.org/Schemas/OME/2016-06"
      " http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd\" Creator=\"Meander\">"
      "<Image ID=\"Image:0\"><Pixels ID=\"Pixels:0\" DimensionOrder=\"XYCZT\"";
  text += attribute_text("Type", ome_type(image.type));
  text += attribute_text("SizeX", image.shape.x) + attribute_text("SizeY", image.shape.y);
  text += attribute_text("SizeZ", image.shape.z) + attribute_text("SizeC", image.channels);
  text += time_text(stack.film()) + physical_size_text(image.spacing);
  // Without attributes TiffData means all pages, in the order of the dimensions.
  return text + ">" + channels_text(stack) + "<TiffData/></Pixels></Image></OME>";
}

}  // namespace meander::io
