// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "contour/geometry/spline_parts.hpp"
#include "core/control_part.hpp"
#include "meander/outline_text.hpp"
#include "outline_io/text_parts.hpp"

namespace meander {
namespace {

constexpr double millimetre = 1e-3;

/// Nine digits: 400 and not 399.99999999999994.
std::string length_text(double value) {
  char text[32];
  const auto end =
      std::to_chars(std::begin(text), std::end(text), value, std::chars_format::general, 9);
  return {text, end.ptr};
}

/// Width and height: in millimetres where people could see them, else of the screen.
std::string size_attributes(const Shape& image, const Spacing& spacing) {
  const double smaller = std::min(spacing.x, spacing.y);
  const double width = static_cast<double>(image.x) * spacing.x;
  const double height = static_cast<double>(image.y) * spacing.y;
  const double unit_length = metres_per(spacing.unit);
  const bool is_true =
      unit_length >= millimetre && std::min(width, height) * unit_length >= millimetre;
  const double scale = is_true ? unit_length / millimetre : 1 / smaller;
  const char* unit = is_true ? "mm" : "";
  return "width=\"" + length_text(width * scale) + unit + "\" height=\"" +
         length_text(height * scale) + unit + "\"";
}

std::string path_of(std::span<const GridPoint> points, bool is_open) {
  std::string text;
  for (const GridPoint& point : points) {
    text += (text.empty() ? "M" : "L") + decimal(point.x) + " " + decimal(point.y);
  }
  return text + (is_open || points.empty() ? "" : "Z");
}

/// Pixel (0, 0) has its centre at (0, 0), so that the image begins half a pixel before.
std::string drawing_head(const Shape& image, const Spacing& spacing) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size_attributes(image, spacing) +
         " viewBox=\"-0.5 -0.5 " + std::to_string(image.x) + " " + std::to_string(image.y) +
         "\" preserveAspectRatio=\"none\" fill=\"none\">\n"
         "<style>path{vector-effect:non-scaling-stroke}</style>\n";
}

/// A group that is left open; viewers show its title over the path.
std::string line_of(std::int64_t id, const std::string& path) {
  const std::string number = std::to_string(id);
  return "<g id=\"outline" + number + "\">\n<path stroke=\"#ff4000\" stroke-width=\"1.5\" " +
         "stroke-linejoin=\"round\" fill-rule=\"evenodd\" d=\"" + path + "\"><title>outline " +
         number + "</title></path>\n";
}

/// Cubics as they are.
std::string path_of(const Spline& spline) {
  const contour::Controls controls(spline);
  const auto place = [](const Point& at) {
    return shortest(at.x / grid_steps_per_pixel) + " " + shortest(at.y / grid_steps_per_pixel);
  };
  std::string text;
  for (std::size_t i = 0; i < controls.size(); ++i) {
    const auto b = controls.bezier(i);
    if (i == 0) text += "M" + place(b[0]);
    text += "C" + place(b[1]) + " " + place(b[2]) + " " + place(b[3]);
  }
  return text + "Z";
}

std::string path_of(const Outline& outline) {
  std::string text;
  for (std::size_t i = 0; i <= outline.holes.size(); ++i) {
    const Polygon& ring = i == 0 ? outline.polygon : outline.holes[i - 1];
    const Spline* spline = spline_of(outline, i);
    text += spline != nullptr ? path_of(*spline) : path_of(ring.vertices, false);
  }
  return text;
}

/// Red at 0, yellow at half of the most, green at the most.
std::string colour_of(double confidence, double most) {
  const double part = most > 0 ? std::clamp(confidence / most, 0.0, 1.0) : 0;
  return "hsl(" + std::to_string(std::lround(120 * part)) + ",100%,45%)";
}

/// A dot that is as large as the line is wide at every enlargement: a line of no length with round
/// ends.
std::string dots_of(const Outline& outline) {
  const auto& values = outline.confidence;
  const double most = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  std::string text;
  const std::vector<std::size_t> nodes = nodes_of(outline);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const GridPoint& at = outline.polygon.vertices.at(nodes.at(k));
    text += "<path d=\"M" + decimal(at.x) + " " + decimal(at.y) + "h0\" stroke=\"" +
            colour_of(values[k], most) + "\"><title>node " + std::to_string(k) + ", confidence " +
            shortest(values[k]) + "</title></path>\n";
  }
  return text;
}

}  // namespace

std::string outlines_as_svg(const SegmentResult& result, const Shape& image, const Spacing& spacing,
                            const Control& control) {
  std::string text = drawing_head(image, spacing);
  for_each_step(result.outlines, control, [&](const Outline& outline) {
    text += line_of(outline.id, path_of(outline)) +
            "<g stroke-width=\"5\" stroke-linecap=\"round\">\n" + dots_of(outline) + "</g>\n</g>\n";
  });
  return text + "</svg>\n";
}

std::string outlines_as_svg(const EdgeResult& result, const Shape& image, const Spacing& spacing,
                            const Control& control) {
  std::string text = drawing_head(image, spacing);
  std::int64_t id = 0;
  for_each_step(result.outlines, control, [&](const EdgeOutline& outline) {
    const Curve& curve = outline.curve;
    text += line_of(++id, path_of(curve.points, curve.is_open)) + "</g>\n";
  });
  return text + "</svg>\n";
}

}  // namespace meander
