// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/nifti/nifti.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/message.hpp"
#include "core/number_text.hpp"
#include "io/image/placement.hpp"
#include "meander/error.hpp"

namespace meander::io {
namespace {

using Vector = Placement::Vector;

constexpr int unit_of_length = 0x07, unit_of_time = 0x38;  // bits of xyzt_units
constexpr int metre = 1, millimetre = 2, micrometre = 3;
constexpr int second = 8, millisecond = 16, microsecond = 24;

/// pixdim[axis] as a length.
double size_along(const NiftiHeader& header, std::size_t axis) {
  const double size = std::abs(header.pixdim[axis]);
  return size > 0 && std::isfinite(size) ? size : 1;
}

/// The shortest decimal that reads as the same float.
double shortest(double value) {
  char digits[32];
  const auto end = std::to_chars(digits, std::end(digits), static_cast<float>(value)).ptr;
  return number_in<double>({digits, end}).value();
}

double as_written(const NiftiHeader& header, double value) {
  return header.version == 1 ? shortest(value) : value;
}

WorldOrigin origin_numbered(int code) {
  return static_cast<WorldOrigin>(std::min(code, static_cast<int>(WorldOrigin::other)));
}

Placement placement_of_sform(const NiftiHeader& header) {
  Placement placement{.axes = WorldAxes::ras, .from = origin_numbered(header.sform_code)};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) placement.step[axis][i] = header.srow[i][axis];
    placement.origin[i] = header.srow[i][3];
  }
  return placement;
}

/// The quaternion's first part, which the header leaves out. Rounding may have made the others a
/// little longer than 1; how much of that is forgiven is nibabel's choice.
long double missing_part(const std::filesystem::path& path, const NiftiHeader& header) {
  const double rounding = header.version == 1 ? std::numeric_limits<float>::epsilon()
                                              : std::numeric_limits<double>::epsilon();
  long double rest = 1;
  for (const long double part : header.quatern) rest -= part * part;
  if (std::abs(rest) < 3 * static_cast<long double>(rounding)) return 0;
  if (rest > 0) return std::sqrt(rest);
  throw MalformedFile(message(path.string(), ": found the quaternion ", header.quatern[0], ", ",
                              header.quatern[1], ", ", header.quatern[2],
                              " in the qform, expected a length of at most 1"));
}

/// In long double like nibabel, so that the result is the same.
Placement placement_of_qform(const std::filesystem::path& path, const NiftiHeader& header) {
  const long double a = missing_part(path, header);
  const long double b = header.quatern[0], c = header.quatern[1], d = header.quatern[2];
  const long double s = 2 / (a * a + b * b + c * c + d * d);
  const long double rotation[3][3] = {
      {1 - s * (c * c + d * d), s * (b * c - a * d), s * (b * d + a * c)},
      {s * (b * c + a * d), 1 - s * (b * b + d * d), s * (c * d - a * b)},
      {s * (b * d - a * c), s * (c * d + a * b), 1 - s * (b * b + c * c)}};
  Placement placement{
      .origin = header.qoffset, .axes = WorldAxes::ras, .from = origin_numbered(header.qform_code)};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double length = size_along(header, axis + 1);
    const double size = axis == 2 && header.pixdim[0] < 0 ? -length : length;
    for (std::size_t i = 0; i < 3; ++i) {
      placement.step[axis][i] = static_cast<double>(rotation[i][axis] * size);
    }
  }
  return placement;
}

bool is_finite(const Vector& vector) {
  return std::ranges::all_of(vector, [](double value) { return std::isfinite(value); });
}

bool is_finite(const Placement& placement) {
  return is_finite(placement.origin) &&
         std::ranges::all_of(placement.step, [](const Vector& step) { return is_finite(step); });
}

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double determinant(const std::array<Vector, 3>& columns) {
  const auto& [a, b, c] = columns;
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// The steps over what the spacing says they measure, or nothing where that does not give three
/// unit vectors at right angles, as far as floats tell.
std::optional<std::array<Vector, 3>> turned_axes(const Placement& placement,
                                                 const NiftiHeader& header) {
  constexpr double tolerance = 1e-5;
  std::array<Vector, 3> columns = placement.step;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (double& value : columns[axis]) value /= header.pixdim[axis + 1];
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) {
      const double expected = i == j ? 1 : 0;
      if (!(std::abs(dot(columns[i], columns[j]) - expected) < tolerance)) return std::nullopt;
    }
  }
  return columns;
}

/// The last three parts of the quaternion of a rotation, the first one not negative.
std::array<double, 3> quaternion_of(const std::array<Vector, 3>& columns) {
  const auto& [x, y, z] = columns;
  // Four times the products of each two parts. The row of the largest part is the quaternion times
  // that part; others could be lost in rounding.
  const double products[4][4] = {{1 + x[0] + y[1] + z[2], y[2] - z[1], z[0] - x[2], x[1] - y[0]},
                                 {y[2] - z[1], 1 + x[0] - y[1] - z[2], y[0] + x[1], z[0] + x[2]},
                                 {z[0] - x[2], y[0] + x[1], 1 - x[0] + y[1] - z[2], z[1] + y[2]},
                                 {x[1] - y[0], z[0] + x[2], z[1] + y[2], 1 - x[0] - y[1] + z[2]}};
  std::size_t largest = 0;
  for (std::size_t i = 1; i < 4; ++i) {
    if (products[i][i] > products[largest][largest]) largest = i;
  }
  const auto& row = products[largest];
  const double length = std::hypot(std::hypot(row[0], row[1]), std::hypot(row[2], row[3]));
  const double factor = (row[0] < 0 ? -1 : 1) / length;
  return {row[1] * factor, row[2] * factor, row[3] * factor};
}

void set_qform(const Placement& placement, NiftiHeader& header) {
  auto columns = turned_axes(placement, header);
  if (!columns) return;
  // Only a rotation has a quaternion; pixdim[0] says that the last axis was turned round for it.
  header.pixdim[0] = determinant(*columns) < 0 ? -1 : 1;
  for (double& value : columns->back()) value *= header.pixdim[0];
  header.qform_code = header.sform_code;
  header.quatern = quaternion_of(*columns);
  header.qoffset = placement.origin;
}

void set_placement(const Placement& placement, NiftiHeader& header) {
  // Code 0 would mean that there is none.
  const auto code = static_cast<int>(placement.from);
  header.sform_code = code > 0 ? code : static_cast<int>(WorldOrigin::aligned);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) header.srow[i][axis] = placement.step[axis][i];
    header.srow[i][3] = placement.origin[i];
  }
  set_qform(placement, header);
}

struct WrittenUnit {
  int code = 0;
  double factor = 1;  ///< What lengths are multiplied with.
};

WrittenUnit written_unit(Unit unit) {
  switch (unit) {
    case Unit::nanometre:
      return {micrometre, 1e-3};
    case Unit::micrometre:
      return {micrometre, 1};
    case Unit::millimetre:
      return {millimetre, 1};
    case Unit::centimetre:
      return {millimetre, 10};
    case Unit::metre:
      return {metre, 1};
    case Unit::pixel:
      return {0, 1};
  }
  throw LogicError("unit out of its enumeration");
}

constexpr double least_float = std::numeric_limits<float>::denorm_min();

bool fits(double value, const NiftiHeader& header) {
  constexpr double most = std::numeric_limits<float>::max();
  return std::isfinite(value) && (header.version == 2 || std::abs(value) <= most);
}

void check_numbers(const std::filesystem::path& path, const NiftiHeader& header) {
  for (std::size_t axis = 1; axis <= 4; ++axis) {
    const double size = header.pixdim[axis];
    const bool vanishes = header.version == 1 && std::abs(size) < least_float;
    if (fits(size, header) && !vanishes) continue;
    throw Unsupported(message(path.string(), ": found spacing ", size, " along NIfTI axis ", axis,
                              ", expected one that a float can hold"));
  }
  for (const auto& row : header.srow) {
    for (const double value : row) {
      if (fits(value, header)) continue;
      throw Unsupported(message(path.string(), ": found ", value,
                                " in the placement, expected what a float can hold"));
    }
  }
}

/// Some programs set the code and leave the matrix at zero; then the qform counts, as for ITK.
bool has_usable_sform(const NiftiHeader& header) {
  if (header.sform_code <= 0) return false;
  const Placement placement = placement_of_sform(header);
  return !is_finite(placement) || is_regular(placement);
}

}  // namespace

Spacing nifti_spacing(const NiftiHeader& header) {
  constexpr Unit units[] = {Unit::pixel, Unit::metre, Unit::millimetre, Unit::micrometre,
                            Unit::pixel, Unit::pixel, Unit::pixel,      Unit::pixel};
  const auto along = [&](std::size_t axis) { return as_written(header, size_along(header, axis)); };
  Unit unit = units[header.xyzt_units & unit_of_length];
  // Most programs that leave the unit out, and all that place an image in the world, mean these.
  const bool is_placed = header.sform_code > 0 || header.qform_code > 0;
  if (unit == Unit::pixel && is_placed) unit = Unit::millimetre;
  return {along(1), along(2), along(3), unit};
}

double nifti_seconds(const NiftiHeader& header) {
  const double step = header.pixdim[4];
  if (!(step > 0) || !std::isfinite(step)) return 0;
  switch (header.xyzt_units & unit_of_time) {
    case second:
      return as_written(header, step);
    case millisecond:
      return as_written(header, step) / 1e3;
    case microsecond:
      return as_written(header, step) / 1e6;
    default:
      return 0;  // not known, or hertz and the like
  }
}

std::optional<Placement> nifti_placement(const std::filesystem::path& path,
                                         const NiftiHeader& header) {
  const bool has_sform = has_usable_sform(header);
  if (!has_sform && header.qform_code <= 0) return std::nullopt;
  const Placement placement =
      has_sform ? placement_of_sform(header) : placement_of_qform(path, header);
  if (is_finite(placement)) return placement;
  throw MalformedFile(message(path.string(), ": found ", has_sform ? "an sform" : "a qform",
                              " with numbers that are not finite"));
}

void set_nifti_geometry(const std::filesystem::path& path, const Spacing& spacing,
                        const std::optional<Placement>& placement, double seconds,
                        NiftiHeader& header) {
  const WrittenUnit unit = written_unit(spacing.unit);
  header.xyzt_units = unit.code;
  if (seconds > 0) {
    header.xyzt_units |= second;
    header.pixdim[4] = seconds;
  }
  header.pixdim[1] = spacing.x * unit.factor;
  header.pixdim[2] = spacing.y * unit.factor;
  header.pixdim[3] = spacing.z * unit.factor;
  if (placement) set_placement(placement->in_axes(WorldAxes::ras).scaled(unit.factor), header);
  check_numbers(path, header);
}

}  // namespace meander::io
