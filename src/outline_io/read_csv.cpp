// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/file/input_file.hpp"
#include "meander/image.hpp"
#include "meander/options.hpp"
#include "outline_io/reader_parts.hpp"

namespace meander::outline_io {
namespace {

/// A CSV file whose first line names its columns; views into its text. Cells have no quotes.
class CsvTable {
 public:
  using Cells = std::vector<std::string_view>;
  CsvTable(const std::string& path, std::string_view text);

  std::string_view header() const { return header_; }
  const Cells& columns() const { return columns_; }
  std::optional<std::size_t> column(std::string_view name) const;
  std::size_t rows() const { return lines_.size(); }
  /// Throws MalformedFile when there are more or fewer than columns.
  Cells cells(std::size_t row) const;
  /// Throws MalformedFile for what is no number.
  double number(std::string_view cell) const;
  /// What takes coordinates of a row to pixels: by its cell of the column `unit`, where there is
  /// one, and the spacing of the image.
  std::array<double, 2> pixels_per_unit(const Cells& cells, const Spacing& image) const;

 private:
  const std::string& path_;
  std::string_view header_;
  Cells columns_;
  std::vector<std::string_view> lines_;  ///< After the header.
  std::optional<std::size_t> unit_;
};

using io::printable;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Lines of a text file, without their ends and the blank ones after the last.
std::vector<std::string_view> lines_of(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos) return {};
  std::vector<std::string_view> lines = split(text.substr(0, last + 1), '\n');
  for (std::string_view& line : lines) {
    if (line.ends_with('\r')) line.remove_suffix(1);
  }
  return lines;
}

CsvTable::CsvTable(const std::string& path, std::string_view text)
    : path_(path), lines_(lines_of(text)) {
  if (!lines_.empty()) {
    header_ = lines_.front();
    lines_.erase(lines_.begin());
  }
  columns_ = split(header_, ',');
  unit_ = column("unit");
}

std::optional<std::size_t> CsvTable::column(std::string_view name) const {
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  if (found == columns_.end()) return {};
  return static_cast<std::size_t>(found - columns_.begin());
}

CsvTable::Cells CsvTable::cells(std::size_t row) const {
  Cells found = split(lines_[row], ',');
  if (found.size() == columns_.size()) return found;
  malformed(path_, "found ", found.size(), " cells in '", printable(lines_[row]), "', expected ",
            columns_.size());
}

double CsvTable::number(std::string_view cell) const {
  try {
    return OptionText<double>::parse(cell);
  } catch (const InvalidArgument&) {
    malformed(path_, "found '", printable(cell), "', expected a number");
  }
}

std::array<double, 2> CsvTable::pixels_per_unit(const Cells& cells, const Spacing& image) const {
  const std::string_view name = unit_ ? cells[*unit_] : "px";
  const auto unit = unit_named(name);
  if (!unit) malformed(path_, "found the unit '", printable(name), "', expected one as um or mm");
  if (*unit == Unit::pixel) return {1, 1};
  if (image.unit == Unit::pixel) {
    throw InvalidArgument(message(path_, ": coordinates in ", name,
                                  ", but the image has no spacing in a unit of length"));
  }
  const double ratio = metres_per(*unit) / metres_per(image.unit);
  return {ratio / image.x, ratio / image.y};
}

}  // namespace

using io::printable;

namespace {

bool begins_with(const CsvTable& table, std::initializer_list<std::string_view> names) {
  return table.columns().size() >= names.size() &&
         std::equal(names.begin(), names.end(), table.columns().begin());
}

/// A step every so many rows: most rows take far less than a step may.
void step_in(const CsvTable& table, std::size_t row, const Control& control) {
  constexpr std::size_t rows_between_steps = 256;
  if (row % rows_between_steps != 0) return;
  control.step(static_cast<double>(row) / static_cast<double>(table.rows()));
}

/// Rows of outlines_as_csv: outline, vertex, x, y, and what may follow. Of that only `unit` and
/// `ring` matter.
class CsvOutlines {
 public:
  CsvOutlines(const std::string& path, const CsvTable& table, const Spacing& image,
              const WantedOutlines& wanted)
      : path_(path), table_(table), image_(image), wanted_(wanted), ring_(table.column("ring")) {}

  void add(const CsvTable::Cells& cells) {
    const std::string_view ring = ring_ ? cells[*ring_] : "0";
    if (rings_.empty() || cells[0] != last_outline_) {
      begin_outline(ring);
    } else if (ring != last_ring_) {
      begin_hole();
    }
    last_outline_ = cells[0], last_ring_ = ring;
    const auto scale = table_.pixels_per_unit(cells, image_);
    rings_.back().add(table_.number(cells[2]) * scale[0], table_.number(cells[3]) * scale[1]);
  }

  /// A file without rows is one outline without nodes.
  std::vector<FileOutline> finished() {
    if (rings_.empty()) begin_outline("0");
    end_outline();
    return std::move(found_);
  }

 private:
  void begin_outline(std::string_view ring) {
    if (ring != "0")
      malformed(path_, "an outline begins with ring '", printable(ring), "', expected 0");
    if (!rings_.empty()) end_outline();
    check_number(path_, found_.size() + 1);
    rings_.emplace_back(path_);
  }
  void begin_hole() {
    if (!wanted_.holes) refuse_holes(path_, rings_.size());
    rings_.emplace_back(path_);
  }
  void end_outline() {
    found_.push_back(outline_of(rings_, wanted_.open));
    rings_.clear();
  }

  const std::string& path_;
  const CsvTable& table_;
  const Spacing& image_;
  const WantedOutlines wanted_;
  const std::optional<std::size_t> ring_;  ///< Index of that column.
  std::vector<Nodes> rings_;               ///< Of the outline that is being read.
  std::string_view last_outline_, last_ring_;
  std::vector<FileOutline> found_;
};

std::vector<FileOutline> outlines_in(const std::string& path, const CsvTable& table,
                                     const Spacing& image, const WantedOutlines& wanted,
                                     const Control& control) {
  CsvOutlines outlines(path, table, image, wanted);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    step_in(table, row, control);
    outlines.add(table.cells(row));
  }
  return outlines.finished();
}

/// Seeds have one row each and no columns but those that are known.
void check_seeds(const std::string& path, const CsvTable& table, const WantedOutlines& wanted,
                 std::size_t known, const char* what) {
  for (std::size_t i = known; i < table.columns().size(); ++i) {
    if (table.columns()[i] == "unit" && i == known) continue;
    malformed(path, "found a column '", printable(table.columns()[i]), "' of ", what,
              ", expected none but unit after '", table.columns()[known - 1], "'");
  }
  if (wanted.open) {
    throw InvalidArgument(
        message(path, ": found ", what, ", expected lines where open curves are asked for"));
  }
  if (table.rows() == 0) malformed(path, "found no ", what, ", expected at least one line");
  check_number(path, table.rows());
}

/// Makes the outline of a row; what it does not like is told with the line of the file.
template <class Make>
FileOutline seed_in(const std::string& path, std::size_t row, const Make& make) {
  try {
    return {{.points = make().vertices}, {}};
  } catch (const InvalidArgument& fault) {
    malformed(path, "line ", row + 2, ": ", fault.what());
  }
}

std::vector<FileOutline> boxes_in(const std::string& path, const CsvTable& table,
                                  const Spacing& image, const Control& control) {
  std::vector<FileOutline> found;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    step_in(table, row, control);
    const auto cells = table.cells(row);
    const auto scale = table.pixels_per_unit(cells, image);
    const auto at = [&](std::size_t i) { return table.number(cells[i]) * scale[i % 2]; };
    found.push_back(seed_in(path, row, [&] { return box_outline(at(0), at(1), at(2), at(3)); }));
  }
  return found;
}

struct Circle {
  double x, y, radius;
};

constexpr double usual_radius = 8;
/// Of the way between two points: circles do not touch.
constexpr double share_of_way = 0.45;

/// Circles of the usual size, of less where centres are near each other. Centres that are so near
/// lie near each other in the order of x too.
void choose_radii(std::vector<Circle>& circles) {
  std::vector<std::size_t> order(circles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return circles[a].x < circles[b].x; });
  constexpr double nearest_free = usual_radius / share_of_way;
  for (std::size_t i = 0; i < order.size(); ++i) {
    Circle& a = circles[order[i]];
    for (std::size_t k = i + 1; k < order.size(); ++k) {
      Circle& b = circles[order[k]];
      const double x = b.x - a.x, y = b.y - a.y;
      if (x > nearest_free) break;
      const double radius = share_of_way * std::sqrt(x * x + y * y);
      a.radius = std::min(a.radius, radius), b.radius = std::min(b.radius, radius);
    }
  }
}

std::vector<FileOutline> points_in(const std::string& path, const CsvTable& table,
                                   const Spacing& image, bool has_radius, const Control& control) {
  std::vector<Circle> circles;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    step_in(table, row, control);
    const auto cells = table.cells(row);
    const auto scale = table.pixels_per_unit(cells, image);
    const double x = table.number(cells[0]) * scale[0], y = table.number(cells[1]) * scale[1];
    if (!std::isfinite(x) || !std::isfinite(y)) {
      malformed(path, "line ", row + 2, ": a point at ", x, ",", y, ", expected finite numbers");
    }
    circles.push_back({x, y, has_radius ? table.number(cells[2]) * scale[0] : usual_radius});
  }
  if (!has_radius) choose_radii(circles);
  std::vector<FileOutline> found;
  for (const Circle& circle : circles) {
    found.push_back(seed_in(path, found.size(),
                            [&] { return circle_outline(circle.x, circle.y, circle.radius); }));
  }
  return found;
}

bool has_outlines(const CsvTable& table) {
  return begins_with(table, {"outline", "vertex", "x", "y"});
}

}  // namespace

bool is_csv_of_outlines(const std::string& path, const std::string& text) {
  return has_outlines(CsvTable(path, text));
}

std::vector<FileOutline> outlines_of_csv(const std::string& path, const std::string& text,
                                         const Spacing& image, const WantedOutlines& wanted,
                                         const Control& control) {
  const CsvTable table(path, text);
  if (has_outlines(table)) {
    return outlines_in(path, table, image, wanted, control);
  }
  if (begins_with(table, {"x0", "y0", "x1", "y1"})) {
    check_seeds(path, table, wanted, 4, "boxes");
    return boxes_in(path, table, image, control);
  }
  if (begins_with(table, {"x", "y"})) {
    const bool has_radius = begins_with(table, {"x", "y", "r"});
    check_seeds(path, table, wanted, has_radius ? 3 : 2, "points");
    return points_in(path, table, image, has_radius, control);
  }
  malformed(path, "begins with '", printable(table.header()),
            "', expected the header outline,vertex,x,y or x,y or x0,y0,x1,y1");
}

}  // namespace meander::outline_io
