// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "meander/meander.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "roi_option.hpp"
#include "sweep_option.hpp"
#include "verb.hpp"

namespace meander::app {

/// Exit codes, as documented in the man page.
enum ExitCode : int {
  done = 0,
  internal = 1,
  usage = 2,
  malformed = 3,
  unsupported = 4,
  memory = 5,
  device_failed = 6,
  file_system = 7,
  not_met = 8,  ///< Not converged, or beyond the tolerance.
  interrupted = 130
};

/// Options that every verb has.
struct CommonOptions {
  std::int64_t threads = 0;
  std::optional<ByteCount> memory;
  bool json = false;
  bool dry_run = false;
  bool quiet = false;
  bool verbose = false;
  std::vector<SweepAxis> sweep;

  template <class Visitor>
  void describe(Visitor& v) {
    v(threads, {.name = "threads",
                .min = 0,
                .max = 1024,
                .help = "threads of the processor; 0 means one per core"});
    v(memory,
      {.name = "memory",
       .unit = "bytes",
       .help = "budget for pixels, kept by working in slabs or refusing [physical memory]"});
    v(json, {.name = "json", .help = "print one report object on stdout"});
    v(dry_run, {.name = "dry-run", .help = "say what would be done, and do nothing"});
    v(quiet, {.name = "quiet", .help = "no progress bar, no results in words"});
    v(verbose, {.name = "verbose", .help = "say on stderr what is being done"});
    v(sweep,
      {.name = "sweep",
       .help = "run once for each value of an option that takes a number (twice: for each pair): "
               "OUT becomes a sheet of all results, with their reports beside it as .json"});
  }
};

/// Of verbs that compute on a device.
struct DeviceOptions {
  std::string device = "auto";

  template <class Visitor>
  void describe(Visitor& v) {
    v(device, {.name = "device",
               .help = "where to compute: auto, cpu, cuda:N, opencl:N or reference; see `meander "
                       "devices`"});
  }
};

/// Of verbs that read images.
struct InputOptions {
  bool channels = false;
  std::optional<io::Roi> roi;

  template <class Visitor>
  void describe(Visitor& v) {
    v(channels, {.name = "channels", .help = "the last axis of an .npy input holds channels"});
    v(roi, {.name = "roi",
            .unit = "pixels",
            .help = "work on this part of the image only, x1 and y1 not included, as if its files "
                    "had been cropped; masks and fields given beside it are cropped too"});
  }
};

inline DeviceOptions device_options;
inline InputOptions input_options;

/// How an image passes through in pieces that keep to the memory budget.
struct SlabPlan {
  std::int64_t length = 0;  ///< Of the axis along which slabs run.
  std::int64_t steps = 0;   ///< Slices or rows in a slab.
  std::int64_t slabs = 0;
  std::int64_t bytes = 0;  ///< Held at a time.
};

/// `bytes_per_step` is what one slice or row of all images needs at a time.
SlabPlan plan_slabs(const Shape& shape, std::int64_t bytes_per_step);

/// One run of one verb: its options, the device, the report.
class Session {
 public:
  Session(const Verb& verb, const CommonOptions& common,
          const std::vector<OptionEntry>& common_entries, std::stop_token stop);

  const std::string& argument(std::size_t index) const { return verb_.arguments.at(index).value; }
  /// Whether the command line named this option of the verb's.
  bool given(const std::string& option) const;
  const CommonOptions& common() const { return common_; }
  /// Of the image that the verb works on.
  io::ReadOptions read_options() const {
    return {.channels_last = input_options.channels, .roi = input_options.roi};
  }

  /// Opened at first use.
  const Device& device();
  /// Progress of one stage of the work, as [from, to] of the whole.
  Control control(double from = 0, double to = 1);

  Report& report() { return report_; }
  /// A line on stdout, unless --json or --quiet.
  void say(const std::string& line) const;
  /// A line on stderr with --verbose.
  void log(const std::string& line) const;
  /// Into the report, the log and, in a dry run, what is said.
  void report_plan(const SlabPlan& plan);
  /// Prints the report when it is asked for.
  void finish();

 private:
  const Verb& verb_;
  const CommonOptions& common_;
  std::stop_token stop_;
  std::optional<Device> device_;
  ProgressBar bar_;
  Report report_;
};

/// Has a cancel point for each slab and passes a Control with the slab's share of the progress.
void for_each_slab(
    Session& session, const SlabPlan& plan,
    const std::function<void(std::int64_t begin, std::int64_t end, const Control& control)>& f);

/// The image of one slice of a volume or one row of a 2-D image: what slabs are counted in.
Description slab_step(Description description);

}  // namespace meander::app
