// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "io/file/input_file.hpp"
#include "io/file/sibling_file.hpp"
#include "io/image/raw.hpp"
#include "io/image/volume_header.hpp"
#include "io/nrrd/nrrd.hpp"

namespace meander::io {
namespace {

using Vector = Placement::Vector;

/// Axes by their use, as indices.
struct Roles {
  std::vector<std::size_t> space;
  std::optional<std::size_t> channels;
  std::optional<std::size_t> frames;
};

double length_of(const Vector& vector) { return std::hypot(vector[0], vector[1], vector[2]); }

/// How long a unit of time is; 0 when it is not known.
double seconds_in(const std::string& unit) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"s", 1},     {"sec", 1},        {"second", 1}, {"seconds", 1}, {"ms", 1e-3},
      {"us", 1e-6}, {"\u00b5s", 1e-6}, {"ns", 1e-9},  {"min", 60},    {"h", 3600}};
  for (const auto& [name, seconds] : units) {
    if (name == unit) return seconds;
  }
  return 0;
}

class AxisReader {
 public:
  AxisReader(const InputFile& file, const NrrdHeader& header)
      : file_(file), header_(header), axes_(header.axes) {
    for (std::size_t i = 0; i < axes_.size(); ++i) assign(i);
    if (roles_.space.empty()) file_.unsupported("found no axis of space, expected 1 to 3");
  }

  RawImage image() const {
    RawImage image;
    image.description.shape = {size_in_space(0), size_in_space(1), size_in_space(2)};
    set_channels(image);
    set_steps(image.layout);
    set_place(image.description);
    set_film(image.film);
    image.layout.type = header_.type;
    image.layout.swapped = header_.big_endian == (std::endian::native == std::endian::little);
    if (header_.compressed) image.layout.compression = Compression::gzip;
    return image;
  }

 private:
  bool is_oriented() const {
    return std::ranges::any_of(axes_,
                               [](const NrrdAxis& axis) { return axis.direction.has_value(); });
  }

  void assign(std::size_t i) {
    const NrrdAxis& axis = axes_[i];
    if (axis.role == NrrdRole::channels) return claim(roles_.channels, i, "channels");
    if (axis.role == NrrdRole::time) return claim(roles_.frames, i, "time");
    const bool placed = axis.direction || !is_oriented();
    if (placed && roles_.space.size() < 3) return roles_.space.push_back(i);
    if (axis.direction || axis.role == NrrdRole::space) {
      file_.unsupported("found axis ", i + 1, " as another one of space, expected at most 3",
                        placed ? "" : " and a space direction for each");
    }
    claim(roles_.frames, i, "time");
  }

  void claim(std::optional<std::size_t>& role, std::size_t axis, const char* name) {
    if (role) file_.unsupported("found two axes of ", name, ", expected at most one");
    if (axes_[axis].direction) {
      file_.unsupported("found a space direction for an axis of ", name, ", expected none");
    }
    role = axis;
  }

  const NrrdAxis& in_space(std::size_t i) const { return axes_[roles_.space[i]]; }
  std::int64_t size_in_space(std::size_t i) const {
    return i < roles_.space.size() ? in_space(i).size : 1;
  }

  void set_channels(RawImage& image) const {
    if (!roles_.channels) return;
    const std::int64_t channels = axes_[*roles_.channels].size;
    if (channels > most_channels) {
      file_.unsupported("found ", channels, " channels, expected at most ", most_channels);
    }
    image.description.channels = static_cast<int>(channels);
  }

  void set_steps(RawLayout& layout) const {
    std::vector<std::int64_t> steps = {1};
    for (const NrrdAxis& axis : axes_) steps.push_back(step_over(steps.back(), axis.size));
    const auto step_in_space = [&](std::size_t i) {
      return i < roles_.space.size() ? steps[roles_.space[i]] : steps.back();
    };
    layout.y_step = step_in_space(1);
    layout.z_step = step_in_space(2);
    layout.frame_step = steps[roles_.frames.value_or(axes_.size())];
    layout.channel_step = steps[roles_.channels.value_or(axes_.size())];
    const std::size_t first = roles_.channels == 0u ? 1 : 0;
    if (roles_.space[0] == first) return;
    file_.unsupported("found axis ", roles_.space[0] + 1,
                      " as the first one of space, expected axis 1, or 2 after the channels");
  }

  void set_place(Description& description) const {
    const Length length = unit();
    std::array<double, 3> spacing = {1, 1, 1};
    for (std::size_t i = 0; i < roles_.space.size(); ++i) {
      const NrrdAxis& axis = in_space(i);
      spacing[i] = axis.direction ? length_of(*axis.direction) : axis.spacing.value_or(1);
    }
    description.spacing = spacing_of(file_, spacing, length);
    description.placement = placement();
    if (!description.placement) return;
    complete_steps(*description.placement, roles_.space.size());
    if (length.factor != 1) description.placement = description.placement->scaled(length.factor);
  }

  /// From the directions of the axes, or else from where each of them starts.
  std::optional<Placement> placement() const {
    Placement place;
    if (is_oriented()) {
      place.origin = header_.origin;
      place.axes = header_.world;
    }
    for (std::size_t i = 0; i < roles_.space.size(); ++i) {
      const NrrdAxis& axis = in_space(i);
      if (axis.direction) {
        place.step[i] = *axis.direction;
      } else if (axis.start) {
        place.step[i][i] = *axis.spacing;
        place.origin[i] = *axis.start;
      } else {
        return std::nullopt;
      }
    }
    return place;
  }

  /// One for all axes of space. Where the world is a patient or a scanner and nothing is said, it
  /// is the millimetre, as ITK and Slicer take it.
  Length unit() const {
    const bool silent = is_oriented() && !header_.space_units;
    const bool patient = header_.world != WorldAxes::unnamed &&
                         header_.world != WorldAxes::right_handed &&
                         header_.world != WorldAxes::left_handed;
    if (silent) return {patient ? Unit::millimetre : Unit::pixel, 1};
    std::vector<std::string> names;
    if (is_oriented()) {
      names = *header_.space_units;
      names.resize(std::min<std::size_t>(names.size(), 3));
    } else {
      for (const std::size_t i : roles_.space) names.push_back(axes_[i].unit);
    }
    for (const std::string& name : names) {
      if (name == names[0]) continue;
      file_.unsupported("found units '", printable(names[0]), "' and '", printable(name),
                        "', expected one for all axes of space");
    }
    return length_named(names[0]).value_or(Length{});
  }

  void set_film(Film& film) const {
    if (!roles_.frames) return;
    const NrrdAxis& axis = axes_[*roles_.frames];
    const double seconds = axis.spacing.value_or(0) * seconds_in(axis.unit);
    film = {.frames = axis.size, .seconds = std::isfinite(seconds) ? seconds : 0};
  }

  const InputFile& file_;
  const NrrdHeader& header_;
  const std::vector<NrrdAxis>& axes_;
  Roles roles_;
};

/// Which axes are x, y, z, channels and frames, and what that makes of spacing, placement and
/// steps. Channels may come first or after x; frames after x. Where the numbers begin is left open.
RawImage nrrd_image(const InputFile& file, const NrrdHeader& header) {
  return AxisReader(file, header).image();
}

/// Where the line after `lines` more of them begins.
std::int64_t after_lines(const InputFile& file, std::int64_t begin, std::int64_t lines) {
  if (lines == 0) return begin;
  const std::int64_t room = std::clamp<std::int64_t>(file.size() - begin, 0, longest_header);
  std::string text(static_cast<std::size_t>(room), ' ');
  file.read(begin, std::as_writable_bytes(std::span(text)));
  std::size_t end = 0;
  for (std::int64_t line = 0; line < lines; ++line) {
    end = text.find('\n', end);
    if (end == text.npos) {
      file.malformed("found a line skip of ", lines, ", expected as many lines before the pixels");
    }
    ++end;
  }
  return begin + static_cast<std::int64_t>(end);
}

/// The bytes to skip belong to what a compressed stream holds, otherwise to the file.
void set_begin(const InputFile& data, const NrrdHeader& header, std::int64_t begin,
               RawImage& image) {
  RawLayout& layout = image.layout;
  layout.data_begin = after_lines(data, begin, header.line_skip);
  if (header.byte_skip < 0) {
    layout.data_begin = begin_of_last(data, image, layout.data_begin);
  } else {
    layout.skipped = header.byte_skip;
  }
}

}  // namespace

std::unique_ptr<Reader::Source> open_nrrd(InputFile file, const ReadOptions&) {
  const NrrdHeader header = parse_nrrd_header(file, header_text(file));
  RawImage image = nrrd_image(file, header);
  std::optional<InputFile> data;
  if (!header.data_file.empty()) data.emplace(open_sibling(file, header.data_file));
  set_begin(data ? *data : file, header, data ? 0 : header.length, image);
  return open_raw(std::move(file), std::move(data), image);
}

}  // namespace meander::io
