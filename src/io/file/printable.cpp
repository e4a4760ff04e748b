// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/file/printable.hpp"

namespace meander::io {

std::string printable(std::string_view bytes) {
  constexpr std::size_t most = 60;
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte < 127) {
      text += c;
    } else {
      text += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    }
  }
  return bytes.size() > most ? text + "..." : text;
}

}  // namespace meander::io
