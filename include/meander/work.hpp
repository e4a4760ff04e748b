// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meander/device.hpp"

/// Which device ends a piece of work first: the work in numbers, what each device takes for such
/// numbers, and the choice, which follows from these alone.
namespace meander {

/// Kinds of work. Devices differ in how much faster one of them is than another.
enum class WorkKind : std::uint8_t {
  lines,    ///< Numbers times passes along an axis; a launch is a pass.
  steps,    ///< Cells times steps times states; a launch is a step.
  cycles,   ///< Cells times components times multigrid cycles; a launch is a visit to a grid.
  outlines  ///< Pixels that a search for outlines looks at; a launch is a search.
};
inline constexpr std::size_t work_kinds = 4;  ///< How many there are.
std::string_view name_of(WorkKind kind);      ///< As the enumerator is called.

/// What something asks of a device; each filter estimates its own (`estimate_work`).
struct Work {
  /// So much of one kind.
  struct Amount {
    double units = 0;     ///< Numbers, cells or pixels: see WorkKind.
    double launches = 0;  ///< That follow each other: small work takes as long as these.
  };
  /// Between the host and the device.
  double upload_bytes = 0, download_bytes = 0;
  std::array<Amount, work_kinds> amounts{};  ///< By WorkKind.
  bool needs_float64 = false;                ///< Whether a device without it cannot do it.

  /// Of one kind.
  Amount& operator[](WorkKind kind) { return amounts[static_cast<std::size_t>(kind)]; }
  /// Of one kind.
  const Amount& operator[](WorkKind kind) const { return amounts[static_cast<std::size_t>(kind)]; }
  bool is_empty() const;  ///< Whether nothing is asked.
  /// One after the other; the pixels are moved for each.
  Work& operator+=(const Work& other);
  Work& operator*=(double times);  ///< So many times the same.
};

/// What one device takes, in seconds.
struct DeviceFigures {
  /// What a kind of work takes.
  struct Cost {
    /// In seconds: of a number, cell or pixel, and of a launch.
    double unit = 0, launch = 0;
  };
  std::string name;         ///< As in DeviceInfo; "cuda" or "opencl": any GPU of that backend.
  std::string description;  ///< As in DeviceInfo; empty: built in.
  double start = 0;         ///< Of its driver, once a process. 0 of `cpu`, as the next two.
  double upload = 0, download = 0;       ///< Of a byte.
  std::array<Cost, work_kinds> costs{};  ///< By WorkKind.

  bool is_gpu() const { return name != "cpu"; }  ///< Whether it is not `cpu`.
};

/// Of one machine. `cpu` is the first of the devices.
struct Figures {
  int threads = 1;                     ///< That `cpu` had.
  std::string driver;                  ///< Of NVIDIA's GPUs, as `nvidia_driver` says.
  std::vector<DeviceFigures> devices;  ///< `cpu` first.
};

/// Typical ones, for so many threads: `cpu`, a large GPU through CUDA, some GPU through OpenCL.
Figures built_in_figures(int threads);
/// The same ones as if they had been measured with another number of threads.
Figures scaled(Figures figures, int threads);
/// Version of the kernel's NVIDIA driver, empty where there is none; loads nothing.
std::string nvidia_driver();

/// Where measured figures are kept: `figures.txt` in MEANDER_CACHE, XDG_CACHE_HOME/meander or
/// ~/.cache/meander; empty when none is set.
std::filesystem::path figures_file();
/// As the text of that file; `figures_in` reads it.
std::string text_of(const Figures& figures);
/// Throws MalformedFile, with what is wrong, for any text that `text_of` of this version of Meander
/// does not make.
Figures figures_in(std::string_view text);

/// What a device takes for some work, in seconds, with the start of its driver unless it `is_open`.
double seconds_for(const Work& work, const DeviceFigures& figures, bool is_open);

/// The quickest of some devices, `cpu` among them, which is taken where none is quicker.
struct Verdict {
  std::size_t index = 0;  ///< Of the devices that were given.
  std::string why;        ///< One sentence with the figures.
};
/// Whether this process has started a device already.
using IsOpen = std::function<bool(const DeviceFigures&)>;
/// The first of those that take the fewest seconds.
Verdict quickest(const Work& work, const std::vector<DeviceFigures>& devices,
                 const IsOpen& is_open);

/// What Device::for_work says.
struct Choice {
  Device device;        ///< Open, or to be opened at its first use.
  std::string why;      ///< One sentence with the figures.
  std::string warning;  ///< One line where figures are ignored or a driver failed, else empty.
};

}  // namespace meander
