// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/image/volume_header.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/number_text.hpp"
#include "io/file/input_file.hpp"
#include "io/file/sibling_file.hpp"
#include "meander/options.hpp"

namespace meander::io {
namespace {

using Vector = Placement::Vector;

/// At right angles to both, of length 1.
Vector normal(const Vector& a, const Vector& b) {
  Vector cross = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  const double length = std::hypot(cross[0], cross[1], cross[2]);
  if (!(length > 0) || !std::isfinite(length)) return {0, 0, 1};
  for (double& value : cross) value /= length;
  return cross;
}

/// A direction of the world that the vector is far from, z rather than y rather than x.
Vector far_from(const Vector& vector) {
  std::size_t least = 2;
  for (const std::size_t i : {1u, 0u}) {
    if (std::abs(vector[i]) < std::abs(vector[least])) least = i;
  }
  Vector direction = {0, 0, 0};
  direction[least] = 1;
  return direction;
}

bool lies_in_plane(const Placement& placement) {
  Placement flat = placement;
  complete_steps(flat, 2);
  return placement.axes == WorldAxes::unnamed && placement.origin[2] == 0 &&
         placement.step[0][2] == 0 && placement.step[1][2] == 0 && flat == placement;
}

}  // namespace

std::string header_text(const InputFile& file) {
  std::string text(static_cast<std::size_t>(std::min(file.size(), longest_header)), ' ');
  file.read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    words.push_back(text.substr(0, text.find_first_of(" \t")));
    text.remove_prefix(words.back().size());
  }
  return words;
}

std::optional<double> finite_number(std::string_view text) {
  const auto value = number_in<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string exact_text(std::span<const double> numbers, char between) {
  std::string text;
  for (const double number : numbers) {
    if (!text.empty()) text += between;
    text += OptionText<double>::format(number + 0.0);  // no negative zero
  }
  return text;
}

void HeaderFields::add(std::string_view name, std::string_view value) {
  if (values_.emplace(name, value).second) return;
  file_.malformed("found the field ", printable(name), " twice, expected it once");
}

std::optional<std::string_view> HeaderFields::find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string_view> HeaderFields::find(
    std::initializer_list<std::string_view> names) const {
  std::optional<std::string_view> value;
  for (const std::string_view name : names) {
    const auto other = find(name);
    if (value && other && *value != *other) {
      malformed(name, "the same as in ", *names.begin(), ", which means the same");
    }
    if (other) value = other;
  }
  return value;
}

std::string_view HeaderFields::need(std::string_view name) const {
  const auto value = find(name);
  if (!value) file_.malformed("found a header without the field ", name, ", expected it");
  return *value;
}

std::vector<std::int64_t> HeaderFields::extents(std::string_view name, std::size_t count) const {
  std::vector<std::int64_t> all;
  for (const std::string_view word : words_of(need(name))) {
    const bool digits = std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
    const auto extent = io::whole_number(word);
    if (digits && !extent) {
      throw OutOfMemory(message(file_.path().string(), ": claims an axis beyond 2^63"));
    }
    all.push_back(extent.value_or(0));
  }
  const bool fits = all.size() == count && std::ranges::none_of(all, [](auto n) { return n < 1; });
  if (!fits) malformed(name, count, " whole numbers from 1 on, one for each axis");
  return all;
}

std::int64_t HeaderFields::whole_number(std::string_view name, std::int64_t least,
                                        std::int64_t most,
                                        std::optional<std::int64_t> otherwise) const {
  if (otherwise && !find(name)) return *otherwise;
  const auto value = io::whole_number(need(name));
  if (!value || *value < least) malformed(name, "a whole number from ", least, " on");
  if (*value > most) unsupported(name, "at most ", most);
  return *value;
}

std::vector<double> HeaderFields::numbers(std::string_view name, std::string_view value,
                                          std::size_t count) const {
  std::vector<double> all;
  for (const std::string_view word : words_of(value)) {
    if (const auto number = finite_number(word)) all.push_back(*number);
  }
  if (all.size() != count || words_of(value).size() != count) {
    malformed(name, count, " numbers");
  }
  return all;
}

std::string HeaderFields::found(std::string_view name, const std::string& expected) const {
  return message(file_.path().string(), ": found ", name, " '", printable(need(name)),
                 "', expected ", expected);
}

bool names_one_file(std::string_view data_file) {
  return !data_file.empty() && !data_file.starts_with("LIST") &&
         data_file.find('%') == data_file.npos;
}

std::filesystem::path data_beside(const std::filesystem::path& header, std::string_view suffix) {
  std::filesystem::path data = sibling_name(header, suffix);
  const std::string name = data.filename().string();
  const bool has_breaks = name.find_first_of("\r\n") != name.npos;
  if (names_one_file(name) && !has_breaks && trimmed(name) == name) return data;
  throw Unsupported(message(header.string(),
                            ": found a name that its header cannot hold, expected "
                            "one without % and line breaks, not LIST"));
}

std::int64_t begin_of_last(const InputFile& file, const RawImage& image, std::int64_t least) {
  std::int64_t bytes = bytes_of(image.layout.type);
  const Shape& shape = image.description.shape;
  for (const std::int64_t factor :
       {shape.x, shape.y, shape.z, std::int64_t{image.description.channels}, image.film.frames}) {
    if (__builtin_mul_overflow(bytes, factor, &bytes)) return least;
  }
  return std::max(least, file.size() - bytes);
}

Spacing spacing_of(const InputFile& file, const std::array<double, 3>& sizes,
                   const Length& length) {
  std::array<double, 3> scaled = sizes;
  for (double& size : scaled) {
    size *= length.factor;
    if (size > 0 && std::isfinite(size)) continue;
    file.malformed("found a spacing of ", size, ", expected a positive number");
  }
  return {scaled[0], scaled[1], scaled[2], length.unit};
}

void complete_steps(Placement& placement, std::size_t axes) {
  auto& step = placement.step;
  if (axes < 2) step[1] = normal(far_from(step[0]), step[0]);
  if (axes < 3) step[2] = normal(step[0], step[1]);
}

bool has_two_axes(const Description& description) {
  return description.shape.z == 1 && description.spacing.z == 1 &&
         (!description.placement || lies_in_plane(*description.placement));
}

}  // namespace meander::io
