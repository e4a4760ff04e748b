// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/nifti/nifti.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>

#include "core/message.hpp"
#include "io/file/input_file.hpp"
#include "meander/error.hpp"

namespace meander::io {
namespace {

using namespace std::string_view_literals;

static_assert(std::endian::native == std::endian::little, "files are written in memory order");

constexpr std::int32_t bytes_of_version_1 = 348;
constexpr std::int32_t bytes_of_version_2 = 540;
constexpr std::size_t magic_place_1 = 344;
constexpr std::size_t magic_place_2 = 4;
/// Behind the magic of version 2; a transfer that changes line ends damages it.
constexpr std::string_view line_ends = "\r\n\x1a\n"sv;

template <class T>
T number_at(std::span<const std::byte> bytes, std::size_t offset, bool swapped) {
  std::array<std::byte, sizeof(T)> raw;
  std::memcpy(raw.data(), bytes.data() + offset, sizeof(T));
  if (swapped) std::ranges::reverse(raw);
  return std::bit_cast<T>(raw);
}

struct Loader {
  template <class T, class Value>
  void at(std::size_t offset, Value& value) const {
    value = static_cast<Value>(number_at<T>(bytes, offset, swapped));
  }
  std::span<const std::byte> bytes;
  bool swapped;
};

struct Saver {
  template <class T, class Value>
  void at(std::size_t offset, const Value& value) const {
    const auto number = static_cast<T>(value);
    std::memcpy(bytes.data() + offset, &number, sizeof number);
  }
  std::string& bytes;
};

template <class T, class Visitor, class Values>
void each(const Visitor& visitor, std::size_t offset, Values& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    visitor.template at<T>(offset + i * sizeof(T), values[i]);
  }
}

/// The fields and their places, for reading and for writing. Those not named here stay zero.
template <class Visitor, class Header>
void visit_version_1(const Visitor& visitor, Header& header) {
  each<std::int16_t>(visitor, 40, header.dim);
  visitor.template at<std::int16_t>(68, header.intent_code);
  visitor.template at<std::int16_t>(70, header.datatype);
  visitor.template at<std::int16_t>(72, header.bitpix);
  each<float>(visitor, 76, header.pixdim);
  visitor.template at<float>(108, header.vox_offset);
  visitor.template at<float>(112, header.scl_slope);
  visitor.template at<float>(116, header.scl_inter);
  visitor.template at<std::uint8_t>(123, header.xyzt_units);
  visitor.template at<std::int16_t>(252, header.qform_code);
  visitor.template at<std::int16_t>(254, header.sform_code);
  each<float>(visitor, 256, header.quatern);
  each<float>(visitor, 268, header.qoffset);
  for (std::size_t row = 0; row < 3; ++row) each<float>(visitor, 280 + 16 * row, header.srow[row]);
}

template <class Visitor, class Header>
void visit_version_2(const Visitor& visitor, Header& header) {
  visitor.template at<std::int16_t>(12, header.datatype);
  visitor.template at<std::int16_t>(14, header.bitpix);
  each<std::int64_t>(visitor, 16, header.dim);
  each<double>(visitor, 104, header.pixdim);
  visitor.template at<std::int64_t>(168, header.vox_offset);
  visitor.template at<double>(176, header.scl_slope);
  visitor.template at<double>(184, header.scl_inter);
  visitor.template at<std::int32_t>(344, header.qform_code);
  visitor.template at<std::int32_t>(348, header.sform_code);
  each<double>(visitor, 352, header.quatern);
  each<double>(visitor, 376, header.qoffset);
  for (std::size_t row = 0; row < 3; ++row) each<double>(visitor, 400 + 32 * row, header.srow[row]);
  visitor.template at<std::int32_t>(500, header.xyzt_units);
  visitor.template at<std::int32_t>(504, header.intent_code);
}

/// The header's own length, in whichever order makes sense of it; 0 when none does.
std::int32_t header_length(std::span<const std::byte> front, bool swapped) {
  if (front.size() < sizeof(std::int32_t)) return 0;
  const auto length = number_at<std::int32_t>(front, 0, swapped);
  return length == bytes_of_version_1 || length == bytes_of_version_2 ? length : 0;
}

/// Collects what is wrong with a header under the name of its file.
class Checker {
 public:
  Checker(const std::filesystem::path& path, const NiftiHeader& header)
      : path_(path), header_(header) {}

  template <class... Parts>
  [[noreturn]] void malformed(const Parts&... parts) const {
    throw MalformedFile(message(path_.string(), ": ", parts...));
  }

  void check_magic(std::string_view magic, std::string_view behind) const {
    if (magic == wanted_magic("n+"sv) || magic == wanted_magic("ni"sv)) {
      if (header_.version == 1 || behind == line_ends) return;
      malformed("the magic of NIfTI-2 ends with '", printable(behind), "', expected '",
                printable(line_ends), "': its line ends were changed on the way");
    }
    if (header_.version == 1 && magic == "\0\0\0\0"sv) {
      throw Unsupported(
          message(path_.string(), ": found an Analyze 7.5 header, expected NIfTI-1 or NIfTI-2"));
    }
    malformed("found the magic '", printable(magic), "', expected 'n+", header_.version, "' or 'ni",
              header_.version, "' of a NIfTI header");
  }

  void check_axes() const {
    const std::int64_t axes = header_.dim[0];
    if (axes < 1 || axes > 7) malformed("found ", axes, " NIfTI axes, expected 1 to 7");
    for (std::size_t axis = 1; axis <= static_cast<std::size_t>(axes); ++axis) {
      if (header_.dim[axis] >= 1) continue;
      malformed("found ", header_.dim[axis], " pixels along NIfTI axis ", axis,
                ", expected at least 1");
    }
  }

  void check_offset() const {
    const double offset = header_.vox_offset;
    const auto least =
        static_cast<double>(header_.detached ? 0 : nifti_header_end(header_.version));
    constexpr double most = 0x1p62;
    if (offset >= least && offset < most && offset == std::floor(offset)) return;
    malformed("found pixels at byte ", offset, " (vox_offset), expected a whole number from ",
              least, " on");
  }

  void check_scaling() const {
    const bool scales = header_.scl_slope != 0 && std::isfinite(header_.scl_slope);
    if (!scales || std::isfinite(header_.scl_inter)) return;
    malformed("found the intercept ", header_.scl_inter, " beside the slope ", header_.scl_slope,
              ", expected a finite number");
  }

 private:
  std::string wanted_magic(std::string_view kind) const {
    return std::string(kind) + std::to_string(header_.version) + '\0';
  }
  const std::filesystem::path& path_;
  const NiftiHeader& header_;
};

}  // namespace

bool begins_like_nifti(std::span<const std::byte> front) {
  return header_length(front, false) != 0 || header_length(front, true) != 0;
}

NiftiHeader parse_nifti_header(const std::filesystem::path& path,
                               std::span<const std::byte> front) {
  NiftiHeader header;
  const Checker checker(path, header);
  header.swapped = header_length(front, false) == 0;
  const std::int32_t length = header_length(front, header.swapped);
  if (length == 0) checker.malformed("found no NIfTI header");
  if (front.size() < static_cast<std::size_t>(length)) {
    checker.malformed("found ", front.size(), " bytes, expected a NIfTI header of ", length);
  }
  header.version = length == bytes_of_version_1 ? 1 : 2;
  const std::string_view text(reinterpret_cast<const char*>(front.data()), front.size());
  const auto magic = text.substr(header.version == 1 ? magic_place_1 : magic_place_2, 4);
  checker.check_magic(magic, text.substr(magic_place_2 + 4, line_ends.size()));
  header.detached = magic[1] == 'i';
  const Loader loader{front, header.swapped};
  header.version == 1 ? visit_version_1(loader, header) : visit_version_2(loader, header);
  checker.check_axes();
  checker.check_offset();
  checker.check_scaling();
  std::fill(header.dim.begin() + header.dim[0] + 1, header.dim.end(), 1);
  return header;
}

std::string nifti_header_text(const NiftiHeader& header) {
  std::string text(static_cast<std::size_t>(nifti_header_end(header.version)), '\0');
  const Saver saver{text};
  const bool first = header.version == 1;
  saver.at<std::int32_t>(0, first ? bytes_of_version_1 : bytes_of_version_2);
  first ? visit_version_1(saver, header) : visit_version_2(saver, header);
  std::string magic = header.detached ? "ni" : "n+";
  magic += std::to_string(header.version) + '\0';
  if (!first) magic += line_ends;
  text.replace(first ? magic_place_1 : magic_place_2, magic.size(), magic);
  return text;
}

}  // namespace meander::io
