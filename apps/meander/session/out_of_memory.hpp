// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

namespace meander::app {

/// Running out of memory ends the program with its own code and one line, wherever it happens.
/// Nearly always by an exception, as elsewhere; but destructors of the JSON library need memory,
/// and an exception out of one of those can only terminate. Call it first.
void expect_to_run_out_of_memory();

/// Writes "meander: TEXT" and a line break to stderr, one line whatever the text holds, and needs
/// no memory for it.
void print_error(const char* text);

inline constexpr const char* no_memory_left = "the system has no memory left";

}  // namespace meander::app
