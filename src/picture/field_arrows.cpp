// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "meander/error.hpp"
#include "picture/arrows.hpp"
#include "picture/line.hpp"

namespace meander {
namespace pictures {
namespace {

constexpr std::int64_t arrows_along_side = 32;
constexpr std::int64_t least_room = 16;  ///< Pixels from arrow to arrow.
constexpr double longest_in_room = 0.9;
constexpr double width_in_room = 0.11;
constexpr double shortest = 3.5;  ///< In pixels; what is shorter has no direction to see.
constexpr double edge_width = 1;
constexpr Colour body{255, 196, 0};
constexpr Colour edge{48, 16, 0};

/// A shaft and two barbs.
struct Arrow {
  Point tail, tip, left, right;
  double half_width = 0;

  double distance(Point p) const {
    return std::min({distance_to_line(p, tail, tip), distance_to_line(p, tip, left),
                     distance_to_line(p, tip, right)});
  }
};

/// `along` is a unit vector.
Arrow arrow_around(Point centre, Point along, double length, double width) {
  const Point across{-along.y, along.x};
  const Point tip = centre + 0.5 * length * along;
  const Point root_of_head = tip - 0.38 * length * along;
  return {.tail = centre - 0.5 * length * along,
          .tip = tip,
          .left = root_of_head - 0.26 * length * across,
          .right = root_of_head + 0.26 * length * across,
          .half_width = width / 2};
}

void draw(Image& picture, const Arrow& arrow, double room) {
  const Point centre = 0.5 * (arrow.tail + arrow.tip);
  const auto from = [&](double at) {
    return std::max<std::int64_t>(0, std::lround(at - room / 2 - edge_width));
  };
  const auto to = [&](double at, std::int64_t end) {
    return std::min<std::int64_t>(end - 1, std::lround(at + room / 2 + edge_width));
  };
  const Shape& shape = picture.shape();
  for (std::int64_t y = from(centre.y); y <= to(centre.y, shape.y); ++y) {
    for (std::int64_t x = from(centre.x); x <= to(centre.x, shape.x); ++x) {
      const double away = arrow.distance({static_cast<double>(x), static_cast<double>(y)});
      blend(picture, x, y, edge, coverage(arrow.half_width + edge_width, away));
      blend(picture, x, y, body, coverage(arrow.half_width, away));
    }
  }
}

/// The first of points `apart` that leave the same margin at both ends.
std::int64_t first_place(std::int64_t length, std::int64_t apart) {
  return (length - 1) % apart / 2;
}

}  // namespace

ArrowGrid arrow_grid(std::int64_t width, std::int64_t height, const ArrowOptions& options) {
  const std::int64_t longer = std::max(width, height);
  ArrowGrid grid;
  grid.apart = options.pixels_apart > 0 ? options.pixels_apart
                                        : (longer + arrows_along_side - 1) / arrows_along_side;
  grid.zoom = (least_room + grid.apart - 1) / grid.apart;
  return grid;
}

Image with_arrows(const Image& picture, const VectorPlane& plane, const ArrowOptions& options,
                  const Control& control) {
  const Control stop{.stop = control.stop, .progress = {}};
  const auto [apart, zoom] = arrow_grid(plane.width(), plane.height(), options);
  Image drawn = zoom == 1 ? picture.clone(stop).download(stop) : enlarged(picture, zoom);
  const auto room = static_cast<double>(apart * zoom);
  const auto middle = [scale = static_cast<double>(zoom)](std::int64_t pixel) {
    return (static_cast<double>(pixel) + 0.5) * scale - 0.5;
  };
  for (std::int64_t y = first_place(plane.height(), apart); y < plane.height(); y += apart) {
    for (std::int64_t x = first_place(plane.width(), apart); x < plane.width(); x += apart) {
      stop.step(0);
      const auto [u, v] = plane.at(x, y);
      const double size = std::hypot(u, v);
      const double length = longest_in_room * room *
                            (options.unit_length && size > 0 ? 1 : strength(size, plane.longest));
      if (length < shortest) continue;
      const Point along{u / size, v / size};
      draw(drawn, arrow_around({middle(x), middle(y)}, along, length, width_in_room * room), room);
    }
  }
  return drawn;
}

}  // namespace pictures

Image field_arrows(const Image& image, const Field& field, const ArrowOptions& options,
                   const Control& control) {
  using namespace pictures;
  const Shape& expected = field.components().shape();
  if (image.channels() != 1 || image.shape() != expected) {
    throw InvalidArgument(message("an image of ", to_string(image.shape()), " with ",
                                  image.channels(), " channels for arrows of a field of ",
                                  to_string(expected), ", expected one channel of that shape"));
  }
  control.step(0);
  const Image ground = grey_picture(image, control);
  control.step(0.3);
  const VectorPlane plane = plane_of(field, control);
  control.step(0.6);
  Image picture = with_arrows(ground, plane, options, control);
  control.step(1);
  return picture;
}

}  // namespace meander
