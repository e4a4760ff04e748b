// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <array>
#include <bit>
#include <utility>

#include "io/image/raw.hpp"
#include "io/image/volume_header.hpp"
#include "io/nrrd/nrrd.hpp"

namespace meander::io {
namespace {

static_assert(std::endian::native == std::endian::little, "files are written in memory order");

std::string_view type_name(PixelType type) {
  constexpr std::array<std::string_view, 6> names = {"uint8", "uint16", "int16",
                                                     "",      "float",  "double"};
  return names.at(static_cast<std::size_t>(type));
}

/// A line of the header that has a word for each axis, channels first and time last.
class AxisLine {
 public:
  AxisLine(const Description& description, const Film& film)
      : has_channels_(description.channels > 1), is_film_(film.frames > 1) {}

  std::string text(const std::string& name, const std::string& of_channels,
                   std::span<const std::string> of_space, const std::string& of_time) const {
    std::string line = name + ":";
    if (has_channels_) line += " " + of_channels;
    for (const std::string& word : of_space) line += " " + word;
    if (is_film_) line += " " + of_time;
    return line + "\n";
  }

 private:
  const bool has_channels_;
  const bool is_film_;
};

class HeaderWriter {
 public:
  HeaderWriter(const Description& description, const WriteOptions& options)
      : description_(description),
        film_(options.film),
        line_(description, options.film),
        count_(has_two_axes(description) ? 2 : 3) {}

  std::string text(bool compress, const std::string& data_file) const {
    const std::size_t dimension =
        count_ + (description_.channels > 1 ? 1 : 0) + (film_.frames > 1 ? 1 : 0);
    std::string text = "NRRD0004\ntype: " + std::string(type_name(description_.type)) +
                       "\ndimension: " + std::to_string(dimension) + "\n" + space() + sizes() +
                       line_.text("kinds", "vector", repeated("domain"), "time") + grid();
    text += "endian: little\nencoding: " + std::string(compress ? "gzip" : "raw") + "\n";
    if (!data_file.empty()) text += "data file: " + data_file + "\n";
    return text + "\n";
  }

 private:
  std::vector<std::string> repeated(const std::string& word) const {
    return std::vector<std::string>(count_, word);
  }

  std::string sizes() const {
    const Shape& shape = description_.shape;
    std::vector<std::string> words;
    for (const std::int64_t size : {shape.x, shape.y, shape.z}) {
      words.push_back(std::to_string(size));
    }
    words.resize(count_);
    return line_.text("sizes", std::to_string(description_.channels), words,
                      std::to_string(film_.frames));
  }

  /// The world; a name says that it has three axes.
  std::string space() const {
    if (!description_.placement) return {};
    const std::string_view name = nrrd_name(description_.placement->axes);
    if (name.empty()) return "space dimension: " + std::to_string(count_) + "\n";
    return "space: " + std::string(name) + "\n";
  }

  std::string vector_text(const Placement::Vector& vector) const {
    return "(" + exact_text(std::span(vector).first(count_), ',') + ")";
  }

  std::string unit() const {
    const Unit unit = description_.spacing.unit;
    return unit == Unit::pixel ? "\"\"" : "\"" + std::string(name_of(unit)) + "\"";
  }

  /// Steps of the placement, or else the spacing where there is anything to say.
  std::string grid() const {
    const std::string pace =
        film_.seconds > 0 ? exact_text(std::array{film_.seconds}) : std::string("nan");
    const bool is_timed = film_.frames > 1 && film_.seconds > 0;
    if (description_.placement) {
      std::string text = directions();
      if (is_timed) text += line_.text("spacings", "nan", repeated("nan"), pace);
      if (is_timed) text += line_.text("units", "\"\"", repeated("\"\""), "\"s\"");
      return text;
    }
    const Spacing& spacing = description_.spacing;
    if (spacing == Spacing{} && !is_timed) return {};
    std::vector<std::string> steps;
    for (const double step : {spacing.x, spacing.y, spacing.z}) {
      steps.push_back(exact_text(std::array{step}));
    }
    steps.resize(count_);
    return line_.text("spacings", "nan", steps, pace) +
           line_.text("units", "\"\"", repeated(unit()), is_timed ? "\"s\"" : "\"\"");
  }

  std::string directions() const {
    const Placement& placement = *description_.placement;
    std::vector<std::string> steps;
    for (const Placement::Vector& step : placement.step) steps.push_back(vector_text(step));
    steps.resize(count_);
    std::string units = "space units:";
    for (const std::string& word : repeated(unit())) units += " " + word;
    return line_.text("space directions", "none", steps, "none") +
           "space origin: " + vector_text(placement.origin) + "\n" + units + "\n";
  }

  const Description& description_;
  const Film& film_;
  const AxisLine line_;
  const std::size_t count_;  ///< Of the axes of space.
};

}  // namespace

std::unique_ptr<Writer::Sink> create_nrrd(AtomicFile file, const Description& description,
                                          const WriteOptions& options) {
  RawRecipe recipe{.compression = options.compress ? Compression::gzip : Compression::none};
  if (lower_case(file.path().extension().string()) == ".nhdr") {
    recipe.data = data_beside(file.path(), options.compress ? ".raw.gz" : ".raw");
  }
  recipe.header =
      HeaderWriter(description, options)
          .text(options.compress, recipe.data ? recipe.data->filename().string() : std::string());
  return create_raw(std::move(file), description, options, recipe);
}

}  // namespace meander::io
