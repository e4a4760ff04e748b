// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "session/session.hpp"
#include "session/verb.hpp"

namespace meander::app {

/// What the command line asks for.
struct Request {
  Verb* verb =
      nullptr;  ///< Null when only help or the version was asked for, which has been printed.
  std::vector<std::string> inputs = {};  ///< All names given for IN, where there may be many.
};

/// Fills the chosen verb's arguments and options and `common`. Throws InvalidArgument in words of
/// the command line.
Request parse(int argc, char** argv, std::vector<Verb>& verbs, std::vector<OptionEntry>& common);

}  // namespace meander::app
