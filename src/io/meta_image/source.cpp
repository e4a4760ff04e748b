// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "io/file/input_file.hpp"
#include "io/file/sibling_file.hpp"
#include "io/image/raw.hpp"
#include "io/image/volume_header.hpp"
#include "io/meta_image/meta_image.hpp"

namespace meander::io {
namespace {

struct MetaImageHeader {
  RawImage image;              ///< But for the place where the numbers begin.
  std::string data_file;       ///< Empty when the numbers follow the header.
  std::int64_t data_skip = 0;  ///< Of that file; -1: the numbers are its last bytes.
  std::int64_t length = 0;     ///< Of the header, its last line included.
};

/// Those that are read, and then some that a header may begin with.
constexpr std::string_view read_keys[] = {"ObjectType",
                                          "NDims",
                                          "DimSize",
                                          "ElementType",
                                          "ElementNumberOfChannels",
                                          "ElementSpacing",
                                          "ElementSize",
                                          "BinaryData",
                                          "BinaryDataByteOrderMSB",
                                          "ElementByteOrderMSB",
                                          "CompressedData",
                                          "HeaderSize",
                                          "TransformMatrix",
                                          "Orientation",
                                          "Rotation",
                                          "Offset",
                                          "Position",
                                          "Origin",
                                          "DistanceUnits",
                                          "ElementToIntensityFunctionSlope",
                                          "ElementToIntensityFunctionOffset",
                                          "ElementDataFile"};
constexpr std::string_view other_keys[] = {"Comment",
                                           "ObjectSubType",
                                           "Name",
                                           "ID",
                                           "ParentID",
                                           "CompressedDataSize",
                                           "Color",
                                           "Modality",
                                           "SequenceID",
                                           "ElementMin",
                                           "ElementMax",
                                           "CenterOfRotation",
                                           "AnatomicalOrientation"};

/// MetaIO's long has 4 bytes on every machine.
constexpr std::pair<std::string_view, StoredType> element_types[] = {
    {"MET_CHAR", StoredType::i8},       {"MET_UCHAR", StoredType::u8},
    {"MET_SHORT", StoredType::i16},     {"MET_USHORT", StoredType::u16},
    {"MET_INT", StoredType::i32},       {"MET_UINT", StoredType::u32},
    {"MET_LONG", StoredType::i32},      {"MET_ULONG", StoredType::u32},
    {"MET_LONG_LONG", StoredType::i64}, {"MET_ULONG_LONG", StoredType::u64},
    {"MET_FLOAT", StoredType::f32},     {"MET_DOUBLE", StoredType::f64}};

bool is_one_of(std::span<const std::string_view> keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

/// A line as its key and value, both without spaces around them.
std::optional<std::pair<std::string_view, std::string_view>> key_and_value(std::string_view line) {
  const auto sign = line.find_first_of("=:");
  if (sign == line.npos) return std::nullopt;
  return std::pair(trimmed(line.substr(0, sign)), trimmed(line.substr(sign + 1)));
}

class MetaImageParser {
 public:
  MetaImageParser(const InputFile& file, std::string_view text) : file_(file), fields_(file) {
    collect(text);
  }

  MetaImageHeader parse() {
    if (fields_.find("ObjectType").value_or("Image") != "Image") {
      fields_.unsupported("ObjectType", "Image");
    }
    dimension_ = static_cast<std::size_t>(fields_.whole_number("NDims", 1, 4));
    parse_shape();
    parse_numbers();
    parse_spacing();
    parse_placement();
    parse_data();
    set_interleaved(header_.image.layout, header_.image.description);
    return std::move(header_);
  }

 private:
  Description& description() { return header_.image.description; }
  /// The fourth axis is time.
  std::size_t axes_of_space() const { return std::min<std::size_t>(dimension_, 3); }

  void collect(std::string_view text) {
    const std::size_t all = text.size();
    while (!text.empty()) {
      const std::string_view line = take_line(text);
      if (trimmed(line).empty()) continue;
      const auto pair = key_and_value(line);
      if (!pair) {
        file_.malformed("found '", printable(line),
                        "' in the MetaImage header, expected 'Key = value'");
      }
      if (is_one_of(read_keys, pair->first)) fields_.add(pair->first, pair->second);
      if (pair->first != "ElementDataFile") continue;
      header_.length = static_cast<std::int64_t>(all - text.size());
      return;
    }
    file_.malformed("found no end of the MetaImage header in ", all,
                    " bytes, expected the field ElementDataFile");
  }

  bool flag(std::string_view name, std::optional<std::string_view> value, bool otherwise) const {
    if (!value) return otherwise;
    const std::string word = lower_case(*value);
    const bool yes = word == "true" || word == "t" || word == "1";
    if (!yes && word != "false" && word != "f" && word != "0") {
      fields_.malformed(name, "True or False");
    }
    return yes;
  }

  void parse_shape() {
    auto sizes = fields_.extents("DimSize", dimension_);
    sizes.resize(4, 1);
    description().shape = {sizes[0], sizes[1], sizes[2]};
    header_.image.film.frames = sizes[3];
    description().channels =
        static_cast<int>(fields_.whole_number("ElementNumberOfChannels", 1, most_channels, 1));
  }

  void parse_numbers() {
    std::string_view name = fields_.need("ElementType");
    constexpr std::string_view array = "_ARRAY";  // of channels, which have a field of their own
    if (name.ends_with(array)) name.remove_suffix(array.size());
    const auto found =
        std::ranges::find(element_types, name, &std::pair<std::string_view, StoredType>::first);
    if (found == std::end(element_types)) {
      fields_.unsupported("ElementType", "MET_UCHAR, MET_SHORT, MET_FLOAT or one like them");
    }
    RawLayout& layout = header_.image.layout;
    layout.type = found->second;
    const std::string_view order = "BinaryDataByteOrderMSB", other = "ElementByteOrderMSB";
    const bool big_endian =
        flag(fields_.find(other) ? other : order, fields_.find({order, other}), false);
    layout.swapped = big_endian == (std::endian::native == std::endian::little);
    layout.scaling = {one_number("ElementToIntensityFunctionSlope", 1),
                      one_number("ElementToIntensityFunctionOffset", 0)};
    if (layout.scaling.slope == 0) {
      fields_.malformed("ElementToIntensityFunctionSlope", "a number other than 0");
    }
  }

  double one_number(std::string_view name, double otherwise) const {
    const auto value = fields_.find(name);
    return value ? fields_.numbers(name, *value, 1)[0] : otherwise;
  }

  /// A length in millimetres unless the header says otherwise; a fourth number is seconds. 1, which
  /// others write for a pace they do not know, is not taken for one.
  void parse_spacing() {
    for (const std::string_view name : {"ElementSpacing", "ElementSize"}) {
      if (!fields_.find(name)) continue;
      steps_ = fields_.numbers(name, fields_.need(name), dimension_);
      if (std::ranges::count(steps_, 0) > 0) fields_.malformed(name, "numbers other than 0");
      break;
    }
    const bool is_silent = steps_.empty() && !fields_.find("DistanceUnits");
    steps_.resize(4, 1);
    if (steps_[3] != 1) header_.image.film.seconds = std::abs(steps_[3]);
    const std::string_view unit = fields_.find("DistanceUnits").value_or(is_silent ? "?" : "mm");
    length_ = length_named(unit).value_or(Length{});
    description().spacing =
        spacing_of(file_, {std::abs(steps_[0]), std::abs(steps_[1]), std::abs(steps_[2])}, length_);
  }

  /// A negative spacing turns the axis round, as it does for ITK.
  void parse_placement() {
    const auto matrix = fields_.find({"TransformMatrix", "Orientation", "Rotation"});
    const auto offset = fields_.find({"Offset", "Position", "Origin"});
    const bool is_turned = steps_[0] < 0 || steps_[1] < 0 || steps_[2] < 0;
    if (!matrix && !offset && !is_turned) return;
    Placement placement;
    if (dimension_ > 2) placement.axes = WorldAxes::lps;
    if (matrix) set_directions(placement, *matrix);
    for (std::size_t i = 0; i < axes_of_space(); ++i) {
      for (double& value : placement.step[i]) value *= steps_[i];
    }
    complete_steps(placement, axes_of_space());
    if (offset) {
      const auto numbers =
          fields_.numbers(name_of_one("Offset", "Position", "Origin"), *offset, dimension_);
      for (std::size_t i = 0; i < axes_of_space(); ++i) placement.origin[i] = numbers[i];
    }
    description().placement = length_.factor == 1 ? placement : placement.scaled(length_.factor);
  }

  std::string_view name_of_one(std::string_view a, std::string_view b, std::string_view c) const {
    return fields_.find(a) ? a : fields_.find(b) ? b : c;
  }

  /// Each row of the matrix is the direction of an axis. Time has to keep to itself.
  void set_directions(Placement& placement, std::string_view matrix) const {
    const auto name = name_of_one("TransformMatrix", "Orientation", "Rotation");
    const auto numbers = fields_.numbers(name, matrix, dimension_ * dimension_);
    for (std::size_t row = 0; row < dimension_; ++row) {
      for (std::size_t column = 0; column < dimension_; ++column) {
        const double value = numbers[row * dimension_ + column];
        if (row < 3 && column < 3) {
          placement.step[row][column] = value;
        } else if (row != column && value != 0) {
          fields_.unsupported(name, "0 between the axes of space and that of time");
        }
      }
    }
    for (std::size_t i = 0; i < axes_of_space(); ++i) {
      const auto& step = placement.step[i];
      if (step[0] == 0 && step[1] == 0 && step[2] == 0) {
        fields_.malformed(name, "a direction for each axis");
      }
    }
  }

  void parse_data() {
    if (!flag("BinaryData", fields_.find("BinaryData"), true)) {
      fields_.unsupported("BinaryData", "True");
    }
    if (flag("CompressedData", fields_.find("CompressedData"), false)) {
      header_.image.layout.compression = Compression::zlib;
    }
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    header_.data_skip = fields_.whole_number("HeaderSize", -1, most, 0);
    if (header_.data_skip < 0 && header_.image.layout.compression != Compression::none) {
      fields_.unsupported("HeaderSize", "0 or more where the data is compressed");
    }
    const std::string_view name = fields_.need("ElementDataFile");
    if (lower_case(name) == "local") return;
    if (!names_one_file(name)) fields_.unsupported("ElementDataFile", "LOCAL or one file's name");
    header_.data_file = name;
  }

  const InputFile& file_;
  HeaderFields fields_;
  MetaImageHeader header_;
  std::size_t dimension_ = 0;
  std::vector<double> steps_;  ///< From pixel to pixel, with their signs; the fourth one in time.
  Length length_;
};

/// Whether a text begins as such a header does: with a line "Key = value" of a known key.
bool begins_meta_image(std::string_view text) {
  const auto pair = key_and_value(take_line(text));
  return pair && (is_one_of(read_keys, pair->first) || is_one_of(other_keys, pair->first));
}

/// Reads the text of a header; `file` is only named in messages. Throws MalformedFile and
/// Unsupported. Unknown keys are passed over, as ITK does.
MetaImageHeader parse_meta_image_header(const InputFile& file, std::string_view text) {
  return MetaImageParser(file, text).parse();
}

}  // namespace

bool is_meta_image(const InputFile& file) {
  constexpr std::int64_t longest_first_line = 4096;  // a comment may be long
  std::string text(static_cast<std::size_t>(std::min(file.size(), longest_first_line)), ' ');
  file.read(0, std::as_writable_bytes(std::span(text)));
  return begins_meta_image(text);
}

std::unique_ptr<Reader::Source> open_meta_image(InputFile file, const ReadOptions&) {
  MetaImageHeader header = parse_meta_image_header(file, header_text(file));
  std::optional<InputFile> data;
  if (!header.data_file.empty()) data.emplace(open_sibling(file, header.data_file));
  // The bytes to skip are counted from the file's beginning, behind which a header may be.
  std::int64_t& begin = header.image.layout.data_begin;
  begin = data ? 0 : header.length;
  if (header.data_skip > 0) begin = header.data_skip;
  if (header.data_skip < 0) begin = begin_of_last(data ? *data : file, header.image, begin);
  return open_raw(std::move(file), std::move(data), header.image);
}

}  // namespace meander::io
