// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/file/input_file.hpp"
#include "io/image/raw.hpp"
#include "io/image/spacing.hpp"

/// What the headers of NRRD and MetaImage have in common: lines of text, a field each.
namespace meander::io {

inline constexpr std::int64_t longest_header = 1 << 20;
inline constexpr std::int64_t most_channels = 65535;  // as many as a TIFF can have

/// The front of a file, as much as a header may take.
std::string header_text(const InputFile& file);

/// Takes the next line off the text; "\n" or "\r\n" ends it, and so does the text.
std::string_view take_line(std::string_view& text);
std::string_view trimmed(std::string_view text);
std::string lower_case(std::string_view text);
/// What stands between spaces and tabs.
std::vector<std::string_view> words_of(std::string_view text);
std::optional<double> finite_number(std::string_view text);

/// "1 0.25 3", with the shortest digits that read back as the same numbers.
std::string exact_text(std::span<const double> numbers, char between = ' ');

/// The fields of a header by name. Values are parts of the header's text, which must stay. Each
/// complaint is one sentence with the file's path.
class HeaderFields {
 public:
  explicit HeaderFields(const InputFile& file) : file_(file) {}

  /// A second value for the same name is malformed.
  void add(std::string_view name, std::string_view value);
  std::optional<std::string_view> find(std::string_view name) const;
  /// The value of a field that has several names; different values are malformed.
  std::optional<std::string_view> find(std::initializer_list<std::string_view> names) const;
  std::string_view need(std::string_view name) const;

  /// Numbers of axes, at least 1 each. One beyond 2^63 is OutOfMemory, as every claim is that no
  /// memory can hold.
  std::vector<std::int64_t> extents(std::string_view name, std::size_t count) const;
  std::int64_t whole_number(std::string_view name, std::int64_t least, std::int64_t most,
                            std::optional<std::int64_t> otherwise = {}) const;
  /// So many finite numbers.
  std::vector<double> numbers(std::string_view name, std::string_view value,
                              std::size_t count) const;

  /// "found NAME 'VALUE', expected …"
  template <class... Parts>
  [[noreturn]] void malformed(std::string_view name, const Parts&... expected) const {
    throw MalformedFile(found(name, message(expected...)));
  }
  template <class... Parts>
  [[noreturn]] void unsupported(std::string_view name, const Parts&... expected) const {
    throw Unsupported(found(name, message(expected...)));
  }

 private:
  std::string found(std::string_view name, const std::string& expected) const;

  const InputFile& file_;
  std::map<std::string, std::string_view, std::less<>> values_;
};

/// Whether one file is meant, rather than a list or a numbered series of them.
bool names_one_file(std::string_view data_file);
/// sibling_name for a header with fields of text: Unsupported for a name that those cannot hold.
std::filesystem::path data_beside(const std::filesystem::path& header, std::string_view suffix);

/// Where the numbers begin when they are the last bytes of a file, not before `least`.
std::int64_t begin_of_last(const InputFile& file, const RawImage& image, std::int64_t least);

/// Sizes of a pixel in a file's own unit as a spacing; malformed unless they are positive numbers.
Spacing spacing_of(const InputFile& file, const std::array<double, 3>& sizes, const Length& length);

/// Fills in the steps from `axes` on: unit vectors at right angles to the others.
void complete_steps(Placement& placement, std::size_t axes);

/// Whether a header with two axes says all about an image: nothing is known of a third one.
bool has_two_axes(const Description& description);

}  // namespace meander::io
