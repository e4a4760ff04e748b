// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/tiff/xml_tags.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace meander::io {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// UTF-8; nothing for what is not a character.
std::string character(std::uint32_t code) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
  const auto next = [&](std::uint32_t shift) { return byte(0x80 | (code >> shift & 0x3f)); };
  if (code == 0 || code > 0x10ffff) return {};
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xc0 | code >> 6), next(0)};
  if (code < 0x10000) return {byte(0xe0 | code >> 12), next(6), next(0)};
  return {byte(0xf0 | code >> 18), next(12), next(6), next(0)};
}

/// What &name; stands for, or nothing.
std::string referenced(std::string_view name) {
  constexpr std::pair<std::string_view, char> named[] = {
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [entity, sign] : named) {
    if (name == entity) return {sign};
  }
  if (!name.starts_with('#')) return {};
  const bool hexadecimal = name.starts_with("#x");
  name.remove_prefix(hexadecimal ? 2 : 1);
  std::uint32_t code = 0;
  const char* end = name.data() + name.size();
  const auto read = std::from_chars(name.data(), end, code, hexadecimal ? 16 : 10);
  return read.ec == std::errc() && read.ptr == end ? character(code) : std::string();
}

std::string without_references(std::string_view value) {
  constexpr std::size_t longest_reference = 12;
  std::string text;
  while (!value.empty()) {
    const auto end = value.substr(0, longest_reference).find(';');
    const bool refers = value.front() == '&' && end != std::string_view::npos;
    const std::string sign = refers ? referenced(value.substr(1, end - 1)) : std::string();
    text += sign.empty() ? std::string(1, value.front()) : sign;
    value.remove_prefix(sign.empty() ? 1 : end + 1);
  }
  return text;
}

}  // namespace

const std::string* XmlTag::attribute(std::string_view wanted) const {
  for (const auto& [name_of_one, value] : attributes) {
    if (name_of_one == wanted) return &value;
  }
  return nullptr;
}

void XmlTags::skip_blanks() {
  rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
}

void XmlTags::skip_past(std::string_view mark) {
  const auto at = rest_.find(mark);
  rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at + mark.size());
}

std::string_view XmlTags::take_until(std::string_view marks) {
  const std::string_view taken = rest_.substr(0, rest_.find_first_of(marks));
  rest_.remove_prefix(taken.size());
  return taken;
}

/// Moves behind the bracket that opens the next tag.
bool XmlTags::find_tag() {
  while (true) {
    skip_past("<");
    if (rest_.empty()) return false;
    if (rest_.starts_with("!--")) {
      skip_past("-->");
    } else if (rest_.starts_with("![CDATA[")) {
      skip_past("]]>");
    } else if (rest_.front() == '!' || rest_.front() == '?') {
      skip_past(">");
    } else {
      return true;
    }
  }
}

/// name="value"; false when the text ends before that does.
bool XmlTags::take_attribute(XmlTag& tag) {
  const std::string_view name = take_until("=>/ \t\r\n");
  skip_blanks();
  if (!rest_.starts_with('=')) return !rest_.empty();
  rest_.remove_prefix(1);
  skip_blanks();
  if (!rest_.starts_with('"') && !rest_.starts_with('\'')) return !rest_.empty();
  const auto end = rest_.find(rest_.front(), 1);
  if (end == std::string_view::npos) return false;
  tag.attributes.emplace_back(name, without_references(rest_.substr(1, end - 1)));
  rest_.remove_prefix(end + 1);
  return true;
}

std::optional<XmlTag> XmlTags::next() {
  if (!find_tag()) return std::nullopt;
  XmlTag tag;
  if (rest_.front() == '/') {
    tag.begins = false;
    tag.ends = true;
    rest_.remove_prefix(1);
  }
  tag.name = take_until("> \t\r\n/");
  tag.name.remove_prefix(tag.name.find(':') + 1);  // from the start when there is no colon
  for (skip_blanks(); !rest_.starts_with('>'); skip_blanks()) {
    if (rest_.starts_with('/')) {
      tag.ends = true;
      rest_.remove_prefix(1);
    } else if (!take_attribute(tag)) {
      return std::nullopt;
    }
  }
  rest_.remove_prefix(1);
  tag.text = without_references(trimmed(rest_.substr(0, rest_.find('<'))));
  return tag;
}

}  // namespace meander::io
