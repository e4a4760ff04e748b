// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "batch/batch.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <filesystem>
#include <list>
#include <memory>

#include "batch/report.hpp"
#include "batch/table.hpp"
#include "system/child_process.hpp"
#include "system/made_folder.hpp"

namespace meander::app {
namespace {

namespace fs = std::filesystem;

/// What processes that run at once may use.
class Shares {
 public:
  Shares(const Invocation& invocation, const CommonOptions& common, std::size_t files) {
    const std::string& named = invocation.device.device;
    // One that is not here is no fault of a file.
    if (named != "auto") Device::open(named);
    set_threads(static_cast<int>(common.threads));
    threads_ = static_cast<std::size_t>(threads());
    jobs_ = std::min({static_cast<std::size_t>(invocation.batch.jobs), threads_, files});
    if (jobs_ == 1) return;
    // A budget holds for every device, so it is made from the smaller one; looking for GPUs is left
    // to files that are worth one.
    const std::string device = named == "auto" ? "cpu" : named;
    const std::uint64_t all = common.memory ? common.memory->value
                                            : std::min(Device::open("cpu").memory().budget,
                                                       Device::open(device).memory().budget);
    memory_ = all / jobs_;
  }

  std::size_t jobs() const { return jobs_; }
  /// Those that are left over go to the first.
  std::size_t threads_of(std::size_t job) const {
    return threads_ / jobs_ + (job < threads_ % jobs_ ? 1 : 0);
  }
  std::uint64_t memory() const { return memory_; }  ///< Of each.

 private:
  std::size_t jobs_ = 1, threads_ = 1;
  std::uint64_t memory_ = 0;
};

/// Whether there is an output and it is younger than its input; numbered files: all that are there.
bool is_newer(const std::string& output, const std::string& input) {
  try {
    const auto time = fs::last_write_time(input);
    const auto files =
        io::is_sequence(output) ? io::sequence_files(output) : std::vector<fs::path>{output};
    return std::ranges::all_of(
        files, [&](const fs::path& path) { return fs::last_write_time(path) > time; });
  } catch (const fs::filesystem_error&) {
    return false;
  } catch (const FileSystemError&) {
    return false;  // no numbered file at all
  }
}

/// A running process and the file it works on.
struct Job {
  Job(std::size_t of_file, std::size_t in_slot, const std::vector<std::string>& arguments)
      : file(of_file), slot(in_slot), process(arguments) {}
  std::size_t file, slot;
  ChildProcess process;
};

class Batch {
 public:
  Batch(const Verb& verb, const std::vector<std::string>& inputs, const CommonOptions& common,
        const std::vector<OptionEntry>& common_entries, const std::stop_token& stop)
      : verb_(verb),
        common_(common),
        common_entries_(common_entries),
        stop_(stop),
        options_(verb.invocation->batch),
        plan_(verb, inputs, common),
        shares_(*verb.invocation, common, plan_.files().size()),
        folder_(plan_.folder()),
        report_(verb, common, plan_.files(), !common.json && !wants_figures()) {
    if (!plan_.table().empty() && !common.dry_run) {
      table_ = std::make_unique<BatchTable>(plan_.table(), options_.resume);
    }
    report_.log(fmt::format("{} files, {} at once", plan_.files().size(), shares_.jobs()));
  }

  int run() {
    while (next_ < plan_.files().size() || !jobs_.empty()) {
      if (stop_.stop_requested()) give_up();
      start_some();
      wait_a_little();
      report_.show_progress();
    }
    report_.print_failures();
    if (table_) table_->write(report_.files_done());
    return report_.has_failures() ? some_failed : done;
  }

 private:
  void start_some() {
    while (next_ < plan_.files().size() && jobs_.size() < shares_.jobs()) {
      const std::size_t index = next_++;
      if (options_.resume && is_complete(plan_.files()[index])) {
        report_.add_skipped(index);
        continue;
      }
      std::size_t slot = 0;
      while (std::ranges::find(jobs_, slot, &Job::slot) != jobs_.end()) ++slot;
      jobs_.emplace_back(index, slot, arguments_for(plan_.files()[index], slot));
    }
  }

  /// Outputs appear whole or not at all, so that whatever is there is complete.
  bool is_complete(const BatchFile& file) const {
    if (table_ && !table_->holds(file)) return false;
    return std::ranges::all_of(
        file.outputs, [&](const std::string& output) { return is_newer(output, file.input); });
  }

  /// Whether the table is made from reports, because the verb makes none.
  bool wants_figures() const { return !options_.table.empty() && !common_.dry_run; }

  /// As the user would have typed it for this file alone.
  std::vector<std::string> arguments_for(const BatchFile& file, std::size_t slot) const {
    std::vector<std::string> arguments{verb_.name};
    const auto add = [&](const std::string& name, const std::string& value) {
      arguments.push_back("--" + name + (value.empty() ? "" : "=" + value));
    };
    const bool is_shared = shares_.jobs() > 1;
    const bool has_table = !plan_.table().empty();
    for (const auto* options : {&verb_.options, &common_entries_}) {
      for (const OptionEntry& option : *options) {
        const bool is_share = option.name == "threads" || option.name == "memory";
        const bool is_ours = is_share ? is_shared : option.name == "table" && has_table;
        if (option.given && !is_ours) add(option.name, text_for(file, option.said));
      }
    }
    if (is_shared) add("threads", std::to_string(shares_.threads_of(slot)));
    if (is_shared) add("memory", std::to_string(shares_.memory()));
    if (wants_figures() && !common_.json) add("json", "");
    if (table_ && !wants_figures()) add("table", table_->part_of(file));
    arguments.emplace_back("--");
    arguments.push_back(file.input);
    if (!plan_.folder().empty()) arguments.push_back(file.outputs.front());
    return arguments;
  }

  void wait_a_little() {
    std::vector<pollfd> waits;
    for (const Job& job : jobs_) {
      for (const pollfd& wait : job.process.waits_for()) waits.push_back(wait);
    }
    constexpr int milliseconds = 50;  // for Ctrl-C, which poll does not see
    if (!waits.empty()) ::poll(waits.data(), waits.size(), milliseconds);
    std::erase_if(jobs_, [&](Job& job) {
      if (!job.process.take_in()) return false;
      take_result(job.file, job.process);
      return true;
    });
  }

  void take_result(std::size_t file, const ChildProcess& process) {
    // Of what was under way when all were stopped nothing needs to be said.
    if (process.code() != done && stop_.stop_requested()) return;
    if (process.code() == done && wants_figures()) {
      table_->add_figures(plan_.files()[file], Json::parse(process.out()));
    }
    report_.add(file, process);
  }

  [[noreturn]] void give_up() {
    for (Job& job : jobs_) job.process.stop();
    while (!jobs_.empty()) wait_a_little();
    report_.print_failures();
    throw Cancelled("stopped on request");
  }

  const Verb& verb_;
  const CommonOptions& common_;
  const std::vector<OptionEntry>& common_entries_;
  const std::stop_token stop_;
  const BatchOptions& options_;
  const BatchPlan plan_;
  const Shares shares_;
  const MadeFolder folder_;
  BatchReport report_;
  std::unique_ptr<BatchTable> table_;
  std::list<Job> jobs_;
  std::size_t next_ = 0;
};

}  // namespace

int run_batch(const Verb& verb, const std::vector<std::string>& inputs, const CommonOptions& common,
              const std::vector<OptionEntry>& common_entries, const std::stop_token& stop) {
  return Batch(verb, inputs, common, common_entries, stop).run();
}

}  // namespace meander::app
