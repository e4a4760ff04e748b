// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meander::io {

/// A start or end tag.
struct XmlTag {
  std::string_view name;  ///< Without the prefix of its namespace.
  bool ends = false;      ///< </name>, or <name/>.
  bool begins = true;     ///< <name>, or <name/>.
  std::string text;       ///< What stands between it and the next tag, without blanks around.
  std::vector<std::pair<std::string_view, std::string>> attributes;

  /// Null when there is none of that name.
  const std::string* attribute(std::string_view wanted) const;
};

/// The tags of an XML text one after the other, without comments, declarations and CDATA sections;
/// quotes of either kind, predefined entities and character references are understood. A scanner,
/// not a parser: it does not see whether tags are nested as they should be, and ends at the first
/// one that is cut off. Takes time in proportion to the text, whatever that is.
class XmlTags {
 public:
  /// The text must outlive the tags.
  explicit XmlTags(std::string_view text) : rest_(text) {}
  std::optional<XmlTag> next();

 private:
  bool find_tag();
  void skip_blanks();
  void skip_past(std::string_view mark);
  std::string_view take_until(std::string_view marks);
  bool take_attribute(XmlTag& tag);

  std::string_view rest_;
};

}  // namespace meander::io
