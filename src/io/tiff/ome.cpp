// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <utility>

#include "io/image/spacing.hpp"
#include "io/tiff/notes.hpp"
#include "io/tiff/xml_tags.hpp"
#include "meander/options.hpp"

namespace meander::io {
namespace {

/// From 0 on; -1 for nonsense.
std::int64_t index_in(std::string_view text) {
  const auto number = whole_number(text);
  return number && *number >= 0 ? *number : -1;
}

void take_pixels(OmeNotes& notes, const XmlTag& pixels) {
  for (const auto& [name, value] : pixels.attributes) {
    if (name == "SizeZ") notes.size_z = count_in(value);
    if (name == "SizeC") notes.size_c = count_in(value);
    if (name == "SizeT") notes.size_t = count_in(value);
    if (name == "DimensionOrder") notes.order = value;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string key = std::string("PhysicalSize") + "XYZ"[axis];
      if (name == key) notes.physical_size[axis] = positive_number(value);
      if (name == key + "Unit") notes.unit[axis] = value;
    }
  }
  const std::string* increment = pixels.attribute("TimeIncrement");
  const std::string* unit = pixels.attribute("TimeIncrementUnit");
  if (increment != nullptr) {
    notes.seconds = seconds_in(*increment, unit != nullptr ? *unit : "s").value_or(0);
  }
}

OmeTiffData data_of(const XmlTag& tag) {
  OmeTiffData data;
  for (const auto& [name, value] : tag.attributes) {
    if (name == "IFD") data.directory = index_in(value);
    if (name == "FirstC") data.first[0] = index_in(value);
    if (name == "FirstZ") data.first[1] = index_in(value);
    if (name == "FirstT") data.first[2] = index_in(value);
    // Schemas before 2008 called it NumPlanes.
    if (name == "PlaneCount" || name == "NumPlanes") data.planes = index_in(value);
  }
  return data;
}

/// A UUID inside a TiffData element names the file that holds those planes.
void take_file(OmeNotes& notes, const XmlTag& tag, const std::string* own) {
  const std::string* name = tag.attribute("FileName");
  if (own != nullptr ? tag.text == *own : name == nullptr) return;
  notes.other_files.insert(name != nullptr ? *name : tag.text);
}

void take_child(OmeNotes& notes, const XmlTag& tag, const std::string* own) {
  if (tag.name == "Channel") {
    if (const std::string* samples = tag.attribute("SamplesPerPixel")) {
      notes.samples.insert(count_in(*samples));
    }
  }
  if (tag.name == "TiffData") notes.data.push_back(data_of(tag));
  if (tag.name == "UUID") take_file(notes, tag, own);
}

}  // namespace

bool OmeNotes::names_directories() const {
  return std::ranges::any_of(data,
                             [](const OmeTiffData& one) { return one.directory.has_value(); });
}

std::optional<OmeNotes> ome_notes(std::string_view text) {
  XmlTags tags(text);
  const auto root = tags.next();
  if (!root || root->name != "OME") return std::nullopt;
  OmeNotes notes;
  bool found = false, inside = false;
  // Annotations may hold any XML, that of images among it; they come last.
  for (auto tag = tags.next(); tag && tag->name != "StructuredAnnotations"; tag = tags.next()) {
    if (tag->name == "BinaryOnly" && tag->begins) {
      const std::string* name = tag->attribute("MetadataFile");
      notes.metadata_file = name != nullptr ? *name : std::string();
      return notes;
    }
    if (tag->name == "Image" && tag->begins) ++notes.images;
    if (tag->name == "Pixels") {
      inside = tag->begins && !tag->ends && !found;
      if (tag->begins && !found) take_pixels(notes, *tag);
      found = true;
    } else if (inside && tag->begins) {
      take_child(notes, *tag, root->attribute("UUID"));
    }
  }
  return found ? std::optional(notes) : std::nullopt;
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
