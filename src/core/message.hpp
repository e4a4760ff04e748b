// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <sstream>
#include <string>

namespace meander {

/// The sentence of an error, put together from its parts; line breaks (of a file name, say) become
/// spaces, because an error is one line.
template <class... Parts>
std::string message(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  std::string text = std::move(out).str();
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

}  // namespace meander
