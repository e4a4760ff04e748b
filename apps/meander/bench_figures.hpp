// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>

#include "bench/harness.hpp"
#include "bench/scaling.hpp"
#include "report.hpp"

/// What all benchmarks say alike.
namespace meander::app {

Json quartiles_json(const bench::Quartiles& q);
Json scaling_json(const bench::Scaling& scaling);

const char* clock_name(bench::Clock clock);
/// "0.9 to 1.1".
std::string between(const bench::Quartiles& q, int digits);
/// "1.00 (0.90 to 1.10)".
std::string with_quartiles(const bench::Quartiles& q);
/// "WHAT on 2 threads: 1.90 times one thread; …".
std::string scaling_text(const std::string& what, const bench::Scaling& scaling);

}  // namespace meander::app
