// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#include "bench/flow/field_errors.hpp"

/// Figures of Smistad, Elster and Lindseth, "Real-time gradient vector flow on GPUs using OpenCL".
namespace meander::bench {

/// Tables 1 and 2: milliseconds. GPUs with 16-bit textures, CPUs with 32 bits.
struct PaperFlowTime {
  const char* processor;
  bool is_gpu;
  double one_iteration, all_iterations;
};
struct PaperFlowTable {
  int number;
  Shape size;
  std::int64_t iterations;
  PaperFlowTime times[6];
};
/// The 27,172 ms of the Quadro in table 2 are printed there as "2,7172".
inline constexpr PaperFlowTable paper_flow_tables[] = {
    {1,
     {512, 512, 1},
     512,
     {{"AMD 5870", true, 0.035, 28},
      {"AMD Mobile 5830", true, 0.147, 77},
      {"NVIDIA Quadro FX5800", true, 0.104, 66},
      {"NVIDIA Tesla c2070", true, 0.077, 41},
      {"Intel i5 750", false, 1.485, 851},
      {"Intel i7 720", false, 2.344, 1550}}},
    {2,
     {256, 256, 256},
     256,
     {{"AMD 5870", true, 4.501, 1124},
      {"AMD Mobile 5830", true, 20.739, 5129},
      {"NVIDIA Quadro FX5800", true, 105.631, 27172},
      {"NVIDIA Tesla c2070", true, 27.989, 7151},
      {"Intel i5 750", false, 310.846, 92591},
      {"Intel i7 720", false, 378.876, 106747}}}};

/// Figures 6 and 7: three fields of two or three components, in 32 or in 16 bits.
constexpr int paper_flow_bytes(int axes, int bits) { return 3 * axes * bits / 8; }

/// Table 3 and section 4.3: 16 bits beside 32 on an MRI scan of a brain, 512x512.
inline constexpr Moments paper_flow_magnitude{0.00078, 4.29e-7, 0.00377, 8.92e-10};
inline constexpr Moments paper_flow_angle{0.55, 0.59, 3.14, 0};
inline constexpr double paper_flow_turned = 9.15e-4;

}  // namespace meander::bench
