// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <algorithm>

#include "input/input_image.hpp"
#include "meander/outline_file.hpp"
#include "options/list.hpp"
#include "segment/segment.hpp"

namespace meander {
namespace {

using Kind = SegmentStart::Kind;

Curve line_between(double x0, double y0, double x1, double y1) {
  const GridPoint from = on_grid(x0, y0), to = on_grid(x1, y1);
  if (from == to) throw InvalidArgument("a line between two ends in one place, expected a length");
  return {.points = {from, to}, .is_open = true};
}

/// Of a start by numbers.
Curve curve_of(const SegmentStart& start) {
  const auto& n = start.numbers;
  if (start.kind == Kind::line) return line_between(n[0], n[1], n[2], n[3]);
  return {.points = start.kind == Kind::box ? box_outline(n[0], n[1], n[2], n[3]).vertices
                                            : circle_outline(n[0], n[1], n[2]).vertices};
}

SegmentStart parse_shape(std::string_view text, Kind kind, std::size_t count) {
  const auto list = text.substr(text.find(':') + 1);
  const auto numbers = OptionText<std::vector<double>>::parse(list);
  if (numbers.size() != count) {
    detail::refuse_text(text, OptionText<SegmentStart>::syntax());
  }
  SegmentStart start{.kind = kind};
  std::copy(numbers.begin(), numbers.end(), start.numbers.begin());
  curve_of(start);  // refuses what is empty or too far away
  return start;
}

}  // namespace

SegmentStart OptionText<SegmentStart>::parse(std::string_view text) {
  if (text == "auto") return {};
  if (text.starts_with("box:")) return parse_shape(text, Kind::box, 4);
  if (text.starts_with("circle:")) return parse_shape(text, Kind::circle, 3);
  if (text.starts_with("line:")) return parse_shape(text, Kind::line, 4);
  return {.kind = Kind::file, .file = std::string(text)};
}

std::string OptionText<SegmentStart>::format(const SegmentStart& start) {
  const auto& n = start.numbers;
  switch (start.kind) {
    case Kind::automatic:
      return "auto";
    case Kind::box:
    case Kind::line:
      return (start.kind == Kind::box ? "box:" : "line:") +
             OptionText<std::vector<double>>::format({n.begin(), n.end()});
    case Kind::circle:
      return "circle:" + OptionText<std::vector<double>>::format({n.begin(), n.begin() + 3});
    case Kind::file:
      return start.file;
  }
  throw LogicError("a start outside its enumeration");
}

namespace app {
namespace {

void check_image(const std::string& path, const Description& found) {
  if (found.shape.z > 1) {
    throw InvalidArgument(
        fmt::format("{}: a volume of {}, expected an image of 2 axes (--slice chooses one, "
                    "--propagate follows objects through them)",
                    path, to_string(found.shape)));
  }
  if (found.channels > 1) {
    throw InvalidArgument(fmt::format("{}: an image with {} channels, expected 1{}", path,
                                      found.channels, channel_advice(found.channels)));
  }
}

/// A mask beside the image.
io::Reader open_mask(Session& session, const io::Reader& image, const std::string& path,
                     const Shape& shape) {
  io::Reader mask = open_beside(session, image, path);
  check_mask(path, as_grey(mask), shape);
  session.report().add_input(path, mask.description());
  return mask;
}

io::Reader open_field(Session& session, const io::Reader& image, const std::string& path,
                      const Shape& shape) {
  io::Reader field = open_beside(session, image, path, true);
  const Description& found = field.description();
  if (found.shape != shape || found.channels != 2) {
    throw InvalidArgument(fmt::format("{}: a field of {} with {} channels, expected {} with 2",
                                      path, to_string(found.shape), found.channels,
                                      to_string(shape)));
  }
  session.report().add_input(path, found);
  return field;
}

}  // namespace

std::vector<Region> regions_to_start(const SegmentVerbOptions& given, const Spacing& image,
                                     const Control& control) {
  if (given.init.kind == Kind::automatic) return {};
  if (given.init.kind == Kind::file) return read_regions(given.init.file, image, control);
  return {{{curve_of(given.init).points}, {}}};
}

std::vector<Curve> curves_to_start(const SegmentVerbOptions& given, const Spacing& image,
                                   const Control& control) {
  if (given.init.kind == Kind::automatic) return {};
  if (given.init.kind != Kind::file) return {curve_of(given.init)};
  return read_curves(given.init.file, image, given.find.edge.snake.open.has_value(), control);
}

SegmentFiles::SegmentFiles(Session& session, const SegmentVerbOptions& given)
    : input(session.open_input(session.read_options())),
      image(as_grey(input)),
      place(session.argument(0), input, session.read_options()) {
  session.report().add_input(session.argument(0), image, input.film());
  check_image(session.argument(0), image);
  const Control stop{.stop = session.control().stop};
  if (!given.mask.empty()) mask = open_mask(session, input, given.mask, image.shape);
  if (!given.truth.empty()) truth = open_mask(session, input, given.truth, image.shape);
  if (given.init.kind == SegmentStart::Kind::file && !is_outline_file(given.init.file)) {
    start_mask = open_mask(session, input, given.init.file, image.shape);
  } else if (given.find.uses_region()) {
    regions = regions_to_start(given, image.spacing, stop);
    for (Region& region : regions) {
      place.to_part(region.outer.vertices);
      for (Polygon& hole : region.holes) place.to_part(hole.vertices);
    }
  } else {
    starts = curves_to_start(given, image.spacing, stop);
    for (Curve& curve : starts) place.to_part(curve.points);
  }
  if (!given.field.empty()) field = open_field(session, input, given.field, image.shape);
}

std::vector<Region> starts_in(const std::string& path, const Image& mask, const Control& control) {
  try {
    return run_named(path, [&] { return starts_of_mask(mask, control); });
  } catch (const Unsupported& fault) {
    throw Unsupported(path + ": " + fault.what());
  }
}

Image bounds_in(const std::string& path, const Image& mask) {
  const bool is_any = visit(mask.type(), [&]<class T>(std::type_identity<T>) {
    for (std::int64_t y = 0; y < mask.shape().y; ++y) {
      const T* row = mask.row<T>(y);
      if (std::any_of(row, row + mask.shape().x, [](T p) { return to_double(p) != 0; }))
        return true;
    }
    return false;
  });
  if (is_any) return mask;
  throw InvalidArgument(path + ": every pixel of the mask is 0, expected a part that is not");
}

bool has_shapes(const SegmentStart& start) {
  return start.kind == SegmentStart::Kind::file && meander::has_shapes(start.file);
}

void warn_of_cover(Session& session, double covered, const Shape& image) {
  if (2 * covered <= static_cast<double>(image.x * image.y)) return;
  session.warn(
      {"outlines cover more than half of the image: the background may have been taken for an "
       "object"});
}

std::string words(const SegmentStart& start) {
  return start.kind == SegmentStart::Kind::automatic ? std::string("found by itself")
                                                     : OptionText<SegmentStart>::format(start);
}

}  // namespace app
}  // namespace meander
