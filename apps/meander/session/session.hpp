// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "meander/control.hpp"
#include "meander/device.hpp"
#include "meander/film.hpp"
#include "meander/io.hpp"
#include "meander/sweep.hpp"
#include "meander/work.hpp"
#include "options/colour.hpp"
#include "options/page.hpp"
#include "options/roi.hpp"
#include "options/spacing.hpp"
#include "session/progress.hpp"
#include "session/verb.hpp"
#include "words/report.hpp"
#include "words/value_losses.hpp"

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
  not_met = 8,      ///< Not converged, or beyond the tolerance.
  some_failed = 9,  ///< Of many files.
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
    v(device,
      {.name = "device",
       .help = "where to compute: auto (what ends first, see `meander devices`), cpu, cuda:N, "
               "opencl:N or reference"});
  }
};

/// Of verbs that read images.
struct InputOptions {
  bool channels = false;
  std::optional<io::Roi> roi;
  std::optional<std::int64_t> channel;
  std::optional<io::Grey> grey;
  std::optional<Spacing> spacing;
  std::optional<io::Pages> pages;
  std::optional<io::FrameChoice> frame;
  std::optional<io::FrameChoice> slice;
  std::optional<io::Slice::Across> axis;

  template <class Visitor>
  void describe(Visitor& v) {
    v(channels, {.name = "channels", .help = "the last axis of an .npy input holds channels"});
    v(roi, {.name = "roi",
            .unit = "pixels",
            .help = "work on this part of the image only, x1 and y1 not included, as if its files "
                    "had been cropped; masks and fields given beside it are cropped too"});
    v(channel, {.name = "channel",
                .min = 0,
                .max = 65535,
                .help = "work on this channel of the image only, from 0 on"});
    v(grey, {.name = "grey",
             .help = "make one channel of colours, without opacity (luminance: 0.2126 red + 0.7152 "
                     "green + 0.0722 blue); an image of one channel stays as it is"});
    v(spacing, {.name = "spacing",
                .help = "size of a pixel, whatever the file says; y and z as x unless they are "
                        "given"});
    v(pages, {.name = "pages",
              .help = "what the pages of a stack are that does not say so itself, as a TIFF "
                      "without notes; without it they are frames for segment, react and --frame "
                      "and slices for --slice"});
    v(frame, {.name = "frame",
              .help = "work on this frame of a film, from 0 on, or once on each of several: OUT is "
                      "then a film too, or numbered files as out%03d.tif; other outputs are "
                      "numbered files"});
    v(slice, {.name = "slice",
              .help = "work on this slice of a volume as an image of 2 axes, from 0 on, or once on "
                      "each of several: OUT is then a stack of them, or numbered files; other "
                      "outputs are numbered files"});
    v(axis, {.name = "axis",
             .help = "the axis that slices lie across; across y they have columns along x and rows "
                     "along z, across x columns along y and rows along z [z]"});
  }
};

/// Of verbs that write images.
struct OutputOptions {
  bool compress = false;

  template <class Visitor>
  void describe(Visitor& v) {
    v(compress, {.name = "compress",
                 .help = "write NRRD and MetaImage compressed, without loss, and other outputs as "
                         "ever; .nii.gz always is"});
  }
};

inline DeviceOptions device_options;
inline InputOptions input_options;
inline OutputOptions output_options;

/// The image OUT on its way.
struct OutImage {
  io::Film film = {};
  std::int64_t slices = 1;  ///< That several runs write.
  std::optional<io::Writer> writer = {};
};

/// One of several runs, each for a frame of a film or a slice of a volume.
struct FrameRun {
  std::int64_t frame = 0;
  bool is_slice = false;
  /// Kept from run to run: compressed frames are fast in order only while it stays open.
  std::optional<io::Reader>* input = nullptr;
  OutImage* film = nullptr;  ///< What all runs write together; none when each has its own OUT.
  std::function<void(double)> progress;
};

/// How an image passes through in pieces that keep to the memory budget.
struct SlabPlan {
  std::int64_t length = 0;  ///< Of the axis along which slabs run.
  std::int64_t steps = 0;   ///< Slices or rows in a slab.
  std::int64_t slabs = 0;
  std::int64_t bytes = 0;  ///< Held at a time.
};

/// `bytes_per_step` is what one slice or row of all images needs at a time.
SlabPlan plan_slabs(const Shape& shape, std::int64_t bytes_per_step);

/// How the image is read that a verb works on, or the first frame or slice of those it is run for.
io::ReadOptions options_to_read(const Verb& verb);

/// One run of one verb: its options, the device, the report.
class Session {
 public:
  Session(const Verb& verb, const CommonOptions& common,
          const std::vector<OptionEntry>& common_entries, std::stop_token stop,
          const FrameRun* part = nullptr);

  const std::string& argument(std::size_t index) const { return verb_.arguments.at(index).value; }
  /// Whether the command line named this option of the verb's.
  bool given(const std::string& option) const;
  const CommonOptions& common() const { return common_; }
  /// Of the image that the verb works on.
  io::ReadOptions read_options() const;
  /// With --verbose: that a file's density for printers is not taken for the size of its pixels.
  void log_print_density(const std::string& path, const io::Reader& reader) const;
  /// That image, the first argument, which lives as long as this; the options of all frames are the
  /// same but for the frame.
  io::Reader& open_input(const io::ReadOptions& options);

  /// The image OUT, which nobody sees before `finish_out`; over several frames they are slabs of
  /// one film, and whoever runs them all finishes it.
  io::Writer& open_out(const Description& description, const io::Film& film = {},
                       bool pages_unknown = false);
  void finish_out();
  /// All frames of OUT, for verbs that go over them by themselves.
  io::FrameSink open_frames(const Description& frame, io::FrameSinkOptions options);
  /// Another image beside it.
  io::Writer create_beside(const std::string& path, const Description& description,
                           const io::Film& film = {});
  /// What these had no room for, a line for each; to be told when all went well.
  const std::vector<std::string>& left_out() const { return left_out_; }
  /// Of OUT, part by part: into the report, and a warning at the end where they are many.
  void add_losses(const ValueLosses& part);
  const ValueLosses& losses() const { return losses_; }

  /// What the verb is about to compute, by which `auto` chooses the device; to be told before that
  /// is asked for. A GPU for which `fits` is false is passed over.
  void plan(Work work, const std::function<bool(const Device&)>& fits = {});
  /// How often a verb is run that is run for several frames or values.
  void set_runs(std::int64_t runs) { runs_ = runs; }
  /// Bytes that it may use.
  std::uint64_t budget(const Device& device) const;
  /// Opened at first use; for verbs that plan no work `auto` is any GPU.
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
  /// Prints the report when it is asked for, and what was left out; of one frame of several both
  /// are printed with theirs.
  void finish();

 private:
  bool joins_film() const { return part_ != nullptr && part_->film != nullptr; }
  void check_type(const std::string& path, PixelType type) const;
  void note_left_out(const std::string& path, const Description& description);
  void use(const Device& device, const std::string& why);

  const Verb& verb_;
  const CommonOptions& common_;
  std::stop_token stop_;
  const FrameRun* part_;
  std::optional<io::Reader> input_;
  OutImage out_;
  std::vector<std::string> left_out_;
  ValueLosses losses_;
  std::optional<Device> device_;
  std::int64_t runs_ = 1;
  ProgressBar bar_;
  Report report_;
};

/// Lines on stderr, unless --quiet.
void warn(const CommonOptions& common, const std::vector<std::string>& lines);

/// Has a cancel point for each slab and passes a Control with the slab's share of the progress.
void for_each_slab(
    Session& session, const SlabPlan& plan,
    const std::function<void(std::int64_t begin, std::int64_t end, const Control& control)>& f);

/// The image of one slice of a volume or one row of a 2-D image: what slabs are counted in.
Description slab_step(Description description);

}  // namespace meander::app
