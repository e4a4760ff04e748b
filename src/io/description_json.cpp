// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <charconv>
#include <cmath>
#include <span>

#include "meander/io.hpp"

namespace meander::io {
namespace {

/// With a point or an exponent, so that a reader takes a whole number for a float too.
std::string json(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  const auto [end, fault] = std::to_chars(text, text + sizeof text, value);
  const std::string number(text, fault == std::errc() ? end : text);
  return number.find_first_of(".e") == std::string::npos ? number + ".0" : number;
}
std::string json(std::int64_t value) { return std::to_string(value); }
std::string json(std::string_view text) { return '"' + std::string(text) + '"'; }
template <class T>
std::string json(std::span<const T> values) {
  std::string list;
  for (const T& value : values) list += (list.empty() ? "" : ",") + json(value);
  return "[" + list + "]";
}

/// z, y and x; y and x of an image of two axes.
template <class T>
std::string axes_json(int rank, T x, T y, T z) {
  const T values[] = {z, y, x};
  return json(std::span<const T>(values).last(static_cast<std::size_t>(rank)));
}

std::string json(const Placement& placement) {
  std::string steps;
  for (const auto& step : placement.step) {
    steps += (steps.empty() ? "" : ",") + json(std::span<const double>(step));
  }
  return R"({"origin":)" + json(std::span<const double>(placement.origin)) + R"(,"steps":[)" +
         steps + R"(],"axes":)" + json(name_of(placement.axes)) + R"(,"orientation":)" +
         json(std::string_view(placement.orientation())) + "}";
}

}  // namespace

std::string description_json(const Description& description, const Film& film) {
  const Shape& shape = description.shape;
  const Spacing& spacing = description.spacing;
  const int rank = shape.rank();
  std::string text = R"({"shape":)" + axes_json(rank, shape.x, shape.y, shape.z) +
                     R"(,"channels":)" + std::to_string(description.channels) + R"(,"type":)" +
                     json(name_of(description.type)) + R"(,"spacing":)" +
                     axes_json(rank, spacing.x, spacing.y, spacing.z) + R"(,"unit":)" +
                     json(name_of(spacing.unit));
  if (description.placement) text += R"(,"placement":)" + json(*description.placement);
  if (film.frames != 1) {
    text += R"(,"frames":)" + json(film.frames) + R"(,"seconds_per_frame":)" +
            (film.seconds > 0 ? json(film.seconds) : "null");
  }
  return text + "}";
}

}  // namespace meander::io
