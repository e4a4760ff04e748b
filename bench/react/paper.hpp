// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

/// Tables of Stoica, Dogaru and Stoica, "Efficient image processing using reaction-diffusion CNN
/// implemented in CUDA technology": 200 steps on a Core 2 Duo E6320 and a GeForce GTX 650 Ti Boost,
/// the latter with transfers.
namespace meander::bench {

inline constexpr std::int64_t paper_steps = 200;

/// Tables 2 and 4: seconds. The second row of the former is the first of the latter.
struct PaperTimes {
  std::int64_t side;
  double cpu_plain;      ///< Table 2, "CPU non-optimized".
  double cpu_optimised;  ///< Table 2, "CPU optimized"; table 4, "CPU sequential".
  double gpu;            ///< Table 4, "GPU multithread".
};
inline constexpr PaperTimes paper_times[] = {{512, 2.56, 1.33, 0.05},
                                             {1024, 10.47, 5.34, 0.16},
                                             {2048, 43.26, 21.08, 0.51},
                                             {4096, 166.11, 88.54, 1.96}};

/// Table 6: seconds, and nanoseconds for each cell and step. Its times of the GPU are better than
/// those of table 4.
struct PaperFinal {
  std::int64_t side;
  double cpu, gpu;
  double cpu_nanoseconds, gpu_nanoseconds;
};
inline constexpr PaperFinal paper_final[] = {
    {512, 1.329, 0.034, 25.349, 0.648},   {768, 2.474, 0.052, 20.972, 0.441},
    {1024, 5.338, 0.081, 25.454, 0.386},  {1536, 12.065, 0.173, 25.569, 0.367},
    {2048, 21.084, 0.287, 25.134, 0.342}, {3072, 48.534, 0.641, 25.714, 0.340},
    {4096, 85.442, 1.115, 25.464, 0.332}};

/// Table 3: seconds of a single thread of the GPU.
struct PaperAlone {
  std::int64_t side;
  double gpu;
};
inline constexpr PaperAlone paper_alone[] = {{128, 2.73}, {256, 11.24}};

/// Table 5, of 512x512: seconds by threads of a warp that have a cell.
struct PaperWarp {
  int threads;
  double gpu;
};
inline constexpr PaperWarp paper_warps[] = {{1, 1.12}, {2, 0.58},  {4, 0.30},
                                            {8, 0.17}, {16, 0.10}, {32, 0.05}};

}  // namespace meander::bench
