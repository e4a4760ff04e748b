// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <string>

#include "meander/options.hpp"

namespace meander::app {

/// Of verbs that may be given many files.
struct BatchOptions {
  std::string suffix;
  std::int64_t jobs = 1;
  bool resume = false;
  std::string table;

  template <class Visitor>
  void describe(Visitor& v) {
    v(suffix, {.name = "suffix",
               .help = "what the names of outputs end in instead of the inputs' suffix, which "
                       "chooses their format: .geojson, or _soft.tif"});
    v(jobs, {.name = "jobs",
             .min = 1,
             .max = 1024,
             .help = "so many files at once, which share --threads and --memory; no more than "
                     "there are threads"});
    v(resume, {.name = "resume",
               .help = "leave out files whose outputs are there and newer than they are, whatever "
                       "options those were made with"});
    v(table, {.name = "table",
              .help = "a .csv with the figures that --json reports, a line for each file or frame, "
                      "instead of results in words"});
  }
};

inline BatchOptions batch_options;

}  // namespace meander::app
