// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

namespace meander::pictures {

inline constexpr int glyph_width = 5;
inline constexpr int glyph_height = 9;  ///< Seven above the line of writing, two below it.

/// Whether the glyph of `character` is black at column `x` of row `y`, counted from its upper left.
/// What is not printable ASCII is shown as a box.
bool has_ink(char character, int x, int y);

}  // namespace meander::pictures
