// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "meander/options.hpp"
#include "session/verb.hpp"

namespace meander::app {

/// Of verbs whose OUT is an image like IN.
struct InPlaceOptions {
  bool in_place = false;

  template <class Visitor>
  void describe(Visitor& v) {
    v(in_place,
      {.name = "in-place",
       .help = "OUT may be IN itself, by whatever name: it is replaced when all is done"});
  }
};

inline InPlaceOptions in_place_options;

/// What options of the verb that are no outputs say: names of files that are read, and other texts,
/// which no output is named like.
std::vector<std::string> texts_read(const Verb& verb);

/// What to add to a refusal where the verb has the option and it was not given; else empty.
std::string in_place_advice(const Verb& verb);

/// Throws InvalidArgument where a run for one IN would write over a file that it reads, unless that
/// is IN as OUT with --in-place.
void check_written_over(const Verb& verb);

}  // namespace meander::app
