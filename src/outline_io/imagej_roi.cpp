// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <span>

#include "core/control_part.hpp"
#include "core/message.hpp"
#include "meander/outline_text.hpp"
#include "meander/track.hpp"
#include "outline_io/roi_zip.hpp"

namespace meander {

// The format as ImageJ's RoiEncoder writes it: a head of 64 bytes, the coordinates, a second head
// of 64 bytes and the name.

namespace {

using Bytes = ByteText<std::endian::big>;

enum class RoiType : std::uint8_t { polygon = 0, rectangle = 1, polyline = 5 };

constexpr std::int64_t version = 228;
constexpr std::int64_t head_bytes = 64;
constexpr std::int64_t has_parts_of_pixels = 128;
constexpr std::size_t most_counted_nodes = 65535;
/// ImageJ takes the 16 bits of a whole coordinate for what lies in this range.
constexpr std::int64_t least_whole = -5000, most_whole = 60535;
/// What the numbers of a path begin with.
constexpr double move_to = 0, line_to = 1, close_path = 4;
constexpr std::int64_t half_pixel = grid_steps_per_pixel / 2;

std::int64_t whole_below(std::int64_t grid) {
  return (grid >= 0 ? grid : grid - grid_steps_per_pixel + 1) / grid_steps_per_pixel;
}

/// A place as ImageJ counts: from the corner of the first pixel.
double place_of(std::int64_t grid) {
  return static_cast<double>(grid + half_pixel) / grid_steps_per_pixel;
}

/// Whole pixels that hold all points.
struct Bounds {
  explicit Bounds(std::span<const GridPoint> points) {
    const auto by_x = [](const GridPoint& a, const GridPoint& b) { return a.x < b.x; };
    const auto by_y = [](const GridPoint& a, const GridPoint& b) { return a.y < b.y; };
    const auto [first_x, last_x] = std::minmax_element(points.begin(), points.end(), by_x);
    const auto [first_y, last_y] = std::minmax_element(points.begin(), points.end(), by_y);
    left = whole_below(first_x->x + half_pixel);
    top = whole_below(first_y->y + half_pixel);
    right = -whole_below(-last_x->x - half_pixel);
    bottom = -whole_below(-last_y->y - half_pixel);
  }
  std::int64_t left = 0, top = 0, right = 0, bottom = 0;
};

struct Head {
  RoiType type = RoiType::polygon;
  Bounds bounds;
  std::int64_t nodes = 0;            ///< Of a polygon or a line.
  std::int64_t numbers_of_path = 0;  ///< Of a composite.
  std::int64_t options = 0;
  std::int64_t coordinate_bytes = 0;
};

std::int64_t whole(std::int64_t coordinate) {
  return std::clamp(coordinate, least_whole, most_whole);
}

Bytes begun(const Head& head) {
  Bytes text;
  text.text("Iout").u16(version).u8(static_cast<std::int64_t>(head.type)).u8(0);
  text.u16(whole(head.bounds.top)).u16(whole(head.bounds.left));
  text.u16(whole(head.bounds.bottom)).u16(whole(head.bounds.right)).u16(head.nodes);
  text.zeros(18).u32(head.numbers_of_path).zeros(10).u16(head.options).zeros(8);
  return text.u32(head_bytes + head.coordinate_bytes);
}

/// The second head, of which only the name is used, and the name in UTF-16.
std::string finished(Bytes text, const std::string& name) {
  const std::int64_t name_begin = text.size() + head_bytes;
  text.zeros(16).u32(name_begin).u32(static_cast<std::int64_t>(name.size()));
  text.zeros(head_bytes - 24);
  for (const char letter : name) text.u16(letter);
  return text.bytes();
}

/// Whole coordinates from the left and top for old readers, then the ones in parts of pixels.
std::string line_file(std::span<const GridPoint> points, RoiType type, const std::string& name) {
  const Bounds bounds(points);
  const auto count = static_cast<std::int64_t>(points.size());
  Bytes text = begun({.type = type,
                      .bounds = bounds,
                      .nodes = count,
                      .options = has_parts_of_pixels,
                      .coordinate_bytes = 12 * count});
  const auto from = [](std::int64_t grid, std::int64_t first) {
    return std::clamp<std::int64_t>(whole_below(grid + 2 * half_pixel) - first, 0, 32767);
  };
  for (const GridPoint& point : points) text.u16(from(point.x, bounds.left));
  for (const GridPoint& point : points) text.u16(from(point.y, bounds.top));
  for (const GridPoint& point : points) text.f32(place_of(point.x));
  for (const GridPoint& point : points) text.f32(place_of(point.y));
  return finished(std::move(text), name);
}

/// A path of several rings, inside where an odd number of them is around.
std::string composite_file(std::span<const Polygon> rings, const std::string& name) {
  std::int64_t numbers = 0;
  for (const Polygon& ring : rings) {
    numbers += 3 * static_cast<std::int64_t>(ring.vertices.size()) + 1;
  }
  Bytes text = begun({.type = RoiType::rectangle,
                      .bounds = Bounds(rings.front().vertices),
                      .numbers_of_path = numbers,
                      .coordinate_bytes = 4 * numbers});
  for (const Polygon& ring : rings) {
    double command = move_to;
    for (const GridPoint& point : ring.vertices) {
      text.f32(command).f32(place_of(point.x)).f32(place_of(point.y));
      command = line_to;
    }
    text.f32(close_path);
  }
  return finished(std::move(text), name);
}

/// With four digits at least.
std::string numbered(std::int64_t id) {
  const std::string digits = std::to_string(id);
  return std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
}

void refuse_empty(std::size_t points) {
  if (points > 0) return;
  throw InvalidArgument("an outline without a point has no region of interest");
}

std::string zip_of(std::span<const std::pair<std::int64_t, std::string>> files,
                   const Control& control) {
  std::vector<ZipEntry> entries;
  for (const auto& [id, bytes] : files) entries.push_back({numbered(id) + ".roi", bytes});
  return stored_zip(entries, control);
}

}  // namespace

std::string outline_as_roi(const Outline& outline) {
  refuse_empty(outline.polygon.vertices.size());
  const std::string name = numbered(outline.id);
  if (outline.holes.empty() && outline.polygon.vertices.size() <= most_counted_nodes) {
    return line_file(outline.polygon.vertices, RoiType::polygon, name);
  }
  std::vector<Polygon> rings{outline.polygon};
  rings.insert(rings.end(), outline.holes.begin(), outline.holes.end());
  return composite_file(rings, name);
}

std::string outline_as_roi(const Curve& curve, std::int64_t id) {
  refuse_empty(curve.points.size());
  if (!curve.is_open) return outline_as_roi(Outline{.id = id, .polygon = {curve.points}});
  if (curve.points.size() <= most_counted_nodes) {
    return line_file(curve.points, RoiType::polyline, numbered(id));
  }
  throw Unsupported(message("an open curve of ", curve.points.size(),
                            " points for ImageJ, expected at most ", most_counted_nodes));
}

std::string outlines_as_roi_zip(const SegmentResult& result, const Control& control) {
  std::vector<std::pair<std::int64_t, std::string>> files;
  for_each_step(result.outlines, part_of(control, 0, 0.5), [&](const Outline& outline) {
    files.emplace_back(outline.id, outline_as_roi(outline));
  });
  return zip_of(files, part_of(control, 0.5, 1));
}

std::string outlines_as_roi_zip(const EdgeResult& result, const Control& control) {
  std::vector<std::pair<std::int64_t, std::string>> files;
  std::int64_t id = 0;
  for_each_step(result.outlines, part_of(control, 0, 0.5), [&](const EdgeOutline& outline) {
    ++id;
    if (!outline.curve.points.empty()) files.emplace_back(id, outline_as_roi(outline.curve, id));
  });
  return zip_of(files, part_of(control, 0.5, 1));
}

namespace {

/// Where the file of a region of interest says which image of a stack it belongs to, from 1 on.
constexpr std::size_t place_of_position = 56;

std::string at_position(std::string bytes, std::int64_t position) {
  for (int i = 0; i < 4; ++i) {
    bytes[place_of_position + static_cast<std::size_t>(i)] =
        static_cast<char>(position >> (24 - 8 * i) & 0xff);
  }
  return bytes;
}

std::string roi_of(const TrackedObject& object) {
  if (object.holes.empty()) return outline_as_roi(object.curve, object.id);
  return outline_as_roi(
      Outline{.id = object.id, .polygon = {object.curve.points}, .holes = object.holes});
}

}  // namespace

std::string tracks_as_roi_zip(std::span<const TrackFrame> frames, const Control& control) {
  std::vector<ZipEntry> entries;
  const Control stop{.stop = control.stop, .progress = {}};
  for_each_step(frames, part_of(control, 0, 0.5), [&](const TrackFrame& frame) {
    const std::int64_t position = frame.frame + 1;
    for (const TrackedObject& object : frame.objects) {
      stop.step(0);
      entries.push_back({numbered(position) + "-" + numbered(object.id) + ".roi",
                         at_position(roi_of(object), position)});
    }
  });
  return stored_zip(entries, part_of(control, 0.5, 1));
}

}  // namespace meander
