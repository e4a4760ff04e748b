// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/message.hpp"
#include "meander/error.hpp"
#include "meander/outline.hpp"

/// What readers of outlines have in common, whatever the format.
namespace meander::outline_io {

template <class... Parts>
[[noreturn]] void malformed(const std::string& path, const Parts&... parts) {
  throw MalformedFile(message(path, ": ", parts...), {.path = path});
}

/// What a file may hold.
struct WantedOutlines {
  bool open = false;
  bool holes = false;

  const char* geometry() const { return open ? "LineString" : "Polygon"; }
};

/// A curve of a file, and its holes where it has some.
struct FileOutline {
  Curve curve;
  std::vector<Polygon> holes;
};

/// Throws Unsupported for more starts than there may be.
void check_number(const std::string& path, std::size_t found);
[[noreturn]] void refuse_holes(const std::string& path, std::size_t holes);

/// Collects the nodes of one ring or line, in pixels.
class Nodes {
 public:
  explicit Nodes(const std::string& path) : path_(&path) {}

  /// Throws MalformedFile for what is not on the grid. A node that repeats the last is left out.
  void add(double x, double y);
  /// Throws MalformedFile for too few nodes, InvalidArgument for a ring that touches itself.
  Curve line();
  Polygon ring(bool is_hole);

 private:
  void check_count(std::size_t least) const;

  const std::string* path_;
  std::vector<GridPoint> points_;
  std::int64_t nodes_ = 0;
};

/// An open line, or the outer ring and holes after it.
FileOutline outline_of(std::vector<Nodes>& rings, bool is_open);

std::vector<FileOutline> outlines_of_geojson(const std::string& path, const std::string& text,
                                             const WantedOutlines& wanted, const Control& control);
/// Whether a table has outlines, not boxes or points.
bool is_csv_of_outlines(const std::string& path, const std::string& text);
std::vector<FileOutline> outlines_of_csv(const std::string& path, const std::string& text,
                                         const Spacing& image, const WantedOutlines& wanted,
                                         const Control& control);

}  // namespace meander::outline_io
