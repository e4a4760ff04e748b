// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "io/image/raw.hpp"
#include "io/image/volume_header.hpp"
#include "io/meta_image/meta_image.hpp"

namespace meander::io {
namespace {

static_assert(std::endian::native == std::endian::little, "files are written in memory order");

std::string_view element_type(PixelType type) {
  constexpr std::array<std::string_view, 6> names = {"MET_UCHAR", "MET_USHORT", "MET_SHORT",
                                                     "",          "MET_FLOAT",  "MET_DOUBLE"};
  return names.at(static_cast<std::size_t>(type));
}

std::string line(std::string_view key, std::string_view value) {
  return std::string(key).append(" = ").append(value).append("\n");
}

/// The sides that the axes come from, one letter each; "???" where two axes come from the same one.
std::string orientation(const Placement& placement) {
  constexpr std::string_view ahead = "RAI", back = "LPS";
  std::string letters;
  std::array<bool, 3> taken = {};
  for (const Placement::Vector& step : placement.step) {
    const auto most = std::ranges::max_element(step, {}, [](double v) { return std::abs(v); });
    const auto axis = static_cast<std::size_t>(most - step.begin());
    if (std::exchange(taken[axis], true)) return "???";
    letters += (*most < 0 ? back : ahead)[axis];
  }
  return letters;
}

class HeaderWriter {
 public:
  HeaderWriter(const Description& description, const Film& film)
      : description_(description),
        film_(film),
        dimension_(film.frames > 1             ? 4
                   : has_two_axes(description) ? 2
                                               : 3) {}

  /// All but where the numbers are.
  std::string text() const {
    const Spacing& spacing = description_.spacing;
    const Shape& shape = description_.shape;
    std::string sizes = std::to_string(shape.x) + " " + std::to_string(shape.y);
    if (dimension_ > 2) sizes += " " + std::to_string(shape.z);
    if (dimension_ > 3) sizes += " " + std::to_string(film_.frames);
    std::string text = place();
    text += line("ElementSpacing", numbers({spacing.x, spacing.y, spacing.z, pace()}));
    text += line("DistanceUnits", spacing.unit == Unit::pixel ? "?" : name_of(spacing.unit));
    text += line("DimSize", sizes);
    if (description_.channels > 1) {
      text += line("ElementNumberOfChannels", std::to_string(description_.channels));
    }
    return text + line("ElementType", element_type(description_.type));
  }

  std::size_t dimension() const { return dimension_; }

 private:
  double pace() const { return film_.seconds > 0 ? film_.seconds : 1; }

  std::string numbers(const std::array<double, 4>& all) const {
    return exact_text(std::span(all).first(dimension_));
  }

  std::string place() const {
    if (!description_.placement) return {};
    const Placement placement = description_.placement->axes == WorldAxes::unnamed
                                    ? *description_.placement
                                    : description_.placement->in_axes(WorldAxes::lps);
    const Placement::Vector& origin = placement.origin;
    std::string text = line("TransformMatrix", matrix(placement));
    text += line("Offset", numbers({origin[0], origin[1], origin[2], 0}));
    text += line("CenterOfRotation", numbers({0, 0, 0, 0}));
    if (dimension_ == 3) text += line("AnatomicalOrientation", orientation(placement));
    return text;
  }

  std::string matrix(const Placement& placement) const {
    const Spacing& spacing = description_.spacing;
    const std::array<double, 3> sizes = {spacing.x, spacing.y, spacing.z};
    std::string text;
    for (std::size_t row = 0; row < dimension_; ++row) {
      std::array<double, 4> values = {0, 0, 0, row == 3 ? 1.0 : 0.0};
      for (std::size_t i = 0; row < 3 && i < 3; ++i) {
        values[i] = placement.step[row][i] / sizes[row];
      }
      text += (row > 0 ? " " : "") + numbers(values);
    }
    return text;
  }

  const Description& description_;
  const Film& film_;
  const std::size_t dimension_;
};

}  // namespace

std::unique_ptr<Writer::Sink> create_meta_image(AtomicFile file, const Description& description,
                                                const WriteOptions& options) {
  RawRecipe recipe{.compression = options.compress ? Compression::zlib : Compression::none};
  std::string data = "LOCAL";
  if (lower_case(file.path().extension().string()) == ".mhd") {
    recipe.data = data_beside(file.path(), options.compress ? ".zraw" : ".raw");
    data = recipe.data->filename().string();
  }
  const HeaderWriter header(description, options.film);
  recipe.header = line("ObjectType", "Image") + line("NDims", std::to_string(header.dimension())) +
                  line("BinaryData", "True") + line("BinaryDataByteOrderMSB", "False") +
                  line("CompressedData", options.compress ? "True" : "False");
  if (options.compress) {
    recipe.header += "CompressedDataSize = ";
    recipe.size_at = static_cast<std::int64_t>(recipe.header.size());
    recipe.header.append(20, '0').append("\n");
  }
  recipe.header += header.text() + line("ElementDataFile", data);
  return create_raw(std::move(file), description, options, recipe);
}

}  // namespace meander::io
