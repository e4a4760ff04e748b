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
#include "meander/work.hpp"
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
  /// What the verb shares with others.
  Invocation& invocation() const { return *verb_.invocation; }
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
  /// How an image is written there: compressed when --compress is given and the format can.
  io::WriteOptions write_options(const std::string& path) const;
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
  /// Whether the verb is run for several frames or slices, this being one of them.
  bool is_one_of_frames() const { return part_ != nullptr; }
  /// Bytes that it may use.
  std::uint64_t budget(const Device& device) const;
  /// Opened at first use; for verbs that plan no work `auto` is any GPU.
  const Device& device();
  /// Progress of one stage of the work, as [from, to] of the whole.
  Control control(double from = 0, double to = 1);

  Report& report() { return report_; }
  /// A line on stdout, unless --json or --quiet.
  void say(const std::string& line) const;
  /// Lines on stderr, unless --quiet.
  void warn(const std::vector<std::string>& lines) const;
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
void warn(Invocation& invocation, const CommonOptions& common,
          const std::vector<std::string>& lines);

/// Has a cancel point for each slab and passes a Control with the slab's share of the progress.
void for_each_slab(
    Session& session, const SlabPlan& plan,
    const std::function<void(std::int64_t begin, std::int64_t end, const Control& control)>& f);

/// The image of one slice of a volume or one row of a 2-D image: what slabs are counted in.
Description slab_step(Description description);

}  // namespace meander::app
