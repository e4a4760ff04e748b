// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "sweep/sweep.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "meander/io.hpp"
#include "meander/picture.hpp"
#include "meander/sweep.hpp"
#include "meander/version.hpp"
#include "session/auto_device.hpp"
#include "system/file_names.hpp"
#include "system/temporary_folder.hpp"

namespace meander::app {
namespace {

std::string numeric_options(const Verb& verb) {
  std::vector<std::string> names;
  for (const OptionEntry& option : verb.options) {
    if (option.takes_number) names.push_back(option.name);
  }
  return fmt::format("one of {}", fmt::join(names, ", "));
}

OptionEntry& option_named(Verb& verb, const std::string& name) {
  for (OptionEntry& option : verb.options) {
    if (option.name != name) continue;
    if (option.takes_number) return option;
    throw InvalidArgument(fmt::format("--sweep: --{} of {} takes no single number, expected {}",
                                      name, verb.name, numeric_options(verb)));
  }
  throw InvalidArgument(fmt::format("--sweep: found '{}', which is no option of {}, expected {}",
                                    name, verb.name, numeric_options(verb)));
}

/// A value that the option takes: refused now rather than after some runs.
void check_value(const OptionEntry& option, const std::string& value) {
  try {
    option.set(value);
    detail::check_range(OptionText<double>::parse(value), {.name = option.name,
                                                           .unit = option.unit,
                                                           .min = option.min,
                                                           .max = option.max,
                                                           .help = {}});
  } catch (const InvalidArgument& fault) {
    throw InvalidArgument(fmt::format("--sweep: {}={}: {}", option.name, value, fault.what()));
  }
}

/// The runs of a verb.
class SweepPlan : public Sweep {
 public:
  /// Throws InvalidArgument, naming the option, for what is no number, unknown, out of its range or
  /// given as well, and what Sweep throws.
  SweepPlan(Verb& verb, const std::vector<SweepAxis>& axes);
  /// Sets the options.
  void apply(std::size_t run) const;

 private:
  static Sweep swept(const std::vector<SweepAxis>& axes);

  std::vector<OptionEntry*> options_;
};

Sweep SweepPlan::swept(const std::vector<SweepAxis>& axes) {
  try {
    return Sweep(axes);
  } catch (const InvalidArgument& fault) {
    throw InvalidArgument(std::string("--") + fault.what(), fault.about);
  }
}

SweepPlan::SweepPlan(Verb& verb, const std::vector<SweepAxis>& axes) : Sweep(swept(axes)) {
  for (const SweepAxis& axis : axes) {
    OptionEntry& option = option_named(verb, axis.option);
    if (option.given) {
      throw InvalidArgument(
          fmt::format("--sweep: --{0} is swept, expected no --{0} beside it", axis.option));
    }
    for (const std::string& value : axis.values()) check_value(option, value);
    option.given = true;
    options_.push_back(&option);
  }
}

void SweepPlan::apply(std::size_t run) const {
  const auto now = values(run);
  for (std::size_t i = 0; i < now.size(); ++i) options_[i]->set(now[i]);
}

Argument& out_of(Verb& verb) {
  const auto found = std::find_if(verb.arguments.begin(), verb.arguments.end(),
                                  [](const Argument& argument) { return argument.name == "OUT"; });
  if (verb.showing != Showing::nothing && found != verb.arguments.end()) return *found;
  std::vector<std::string> names;
  for (const Verb& other : all_verbs()) {
    if (other.showing != Showing::nothing) names.push_back(other.name);
  }
  throw InvalidArgument(fmt::format("--sweep: {} writes no image, expected one of {}", verb.name,
                                    fmt::join(names, ", ")));
}

/// Each run would write them anew.
void refuse_other_outputs(const Verb& verb) {
  if (verb.invocation->output.compress) {
    throw InvalidArgument(
        "--compress: a sweep leaves a picture, expected no --compress beside --sweep");
  }
  for (const OptionEntry& option : verb.options) {
    const auto& others = verb.other_outputs;
    const bool is_output = std::find(others.begin(), others.end(), option.name) != others.end();
    if (!option.given || !is_output) continue;
    throw InvalidArgument(
        fmt::format("--{0}: every run of a sweep would write it, expected no --{0} beside --sweep",
                    option.name));
  }
}

/// Paths of files that are gone when the report is read.
void forget_paths_in(Json& json, const std::string& folder) {
  if (json.is_text() && json.text().starts_with(folder)) json = nullptr;
  for (Json& member : json) forget_paths_in(member, folder);
}

SheetContent content_of(Showing showing) {
  if (showing == Showing::field) return SheetContent::fields;
  return showing == Showing::overlay ? SheetContent::pictures : SheetContent::values;
}

Json json_of(const SweepAxis& axis) {
  Json values = Json::array();
  for (const std::string& value : axis.values()) values.push_back(number_or_text(value));
  return {{"option", axis.option},
          {"spacing", axis.is_geometric ? "log" : "linear"},
          {"values", std::move(values)}};
}

/// Where a sweep ends: the sheet, and the reports beside it.
class SweepTargets {
 public:
  SweepTargets(const Verb& verb, const std::string& out) : sheet_(out), json_(out) {
    json_.replace_extension(".json");
    if (io::is_sequence(out)) {
      throw Unsupported(out + ": the sheet of a sweep is one picture, expected one name");
    }
    const io::Writer trial(sheet_, {.channels = 3, .type = PixelType::u8});
    io::check_text_target(json_);
    for (const Argument& argument : verb.arguments) {
      if (argument.name != "OUT") check_other(argument.value);
    }
    for (const OptionEntry& option : verb.options) {
      if (option.given && !option.takes_number) check_other(option.get());
    }
  }

  const std::string& sheet() const { return sheet_; }
  /// The sheet last, so that it is not left behind alone.
  void write(const Image& sheet, const std::string& json) const {
    io::Writer writer(sheet_, sheet.description());
    writer.append(sheet);
    io::write_text(json_, json);
    writer.finish();
  }

 private:
  void check_other(const std::string& input) const {
    for (const std::string& output : {sheet_, json_.string()}) {
      if (input.empty() || !is_same_file(input, output)) continue;
      throw InvalidArgument(output + ": the sweep would write over it, expected another OUT");
    }
  }

  const std::string sheet_;
  std::filesystem::path json_;
};

class SweptVerb {
 public:
  SweptVerb(Verb& verb, const SweepPlan& plan, const CommonOptions& common,
            const std::vector<OptionEntry>& common_entries, const std::stop_token& stop)
      : verb_(verb),
        plan_(plan),
        common_(common),
        silent_(common),
        common_entries_(common_entries),
        stop_(stop),
        targets_(verb, out_of(verb).value),
        sheet_(plan.columns(), plan.rows(), content_of(verb.showing)),
        folder_(std::filesystem::path(targets_.sheet()).parent_path(), "sweep"),
        input_(verb.invocation->input),
        bar_(!common.quiet && isatty(STDERR_FILENO) != 0) {
    silent_.quiet = true;
    silent_.json = false;
  }

  int run() {
    redirect_outputs();
    const std::size_t runs = plan_.runs();
    const Control control{.stop = stop_, .progress = [this](double part) { bar_.show(part); }};
    for (std::size_t i = 0; i < runs; ++i) {
      control.step(static_cast<double>(i) / static_cast<double>(runs));
      run_one(i);
    }
    bar_.clear();
    finish();
    if (failures_ == runs) throw NotConverged(no_result_);
    return done;
  }

 private:
  void redirect_outputs() {
    shown_file_ = (folder_.path() / "shown.npy").string();
    out_of(verb_).value = shown_file_;
    if (verb_.showing != Showing::overlay) return;
    out_of(verb_).value = (folder_.path() / "outlines.json").string();
    for (OptionEntry& option : verb_.options) {
      if (option.name == "overlay") option.set(shown_file_);
    }
  }

  void run_one(std::size_t index) {
    verb_.invocation->input = input_;
    plan_.apply(index);
    Session session(verb_, silent_, common_entries_, stop_);
    session.set_runs(static_cast<std::int64_t>(plan_.runs()));
    Json error;
    try {
      verb_.run(session);
    } catch (const NotConverged& fault) {
      error = {{"code", static_cast<int>(not_met)}, {"message", fault.what()}};
      if (failures_++ == 0)
        no_result_ = fmt::format("no run of the sweep ended well: {}", fault.what());
    }
    Json report = session.report().object(common_.dry_run);
    if (!common_.dry_run) show(index, report);
    say(index, error);
    forget_paths_in(report, folder_.path().string());
    add_run(index, std::move(report), std::move(error));
  }

  /// An unconverged result is shown all the same where the verb was told to keep it.
  void show(std::size_t index, const Json& report) {
    if (!std::filesystem::exists(shown_file_)) {
      return sheet_.add_empty(plan_.label(index), "not converged");
    }
    const bool has_channels =
        verb_.showing == Showing::overlay || report["outputs"].at(0)["channels"].number() > 1;
    io::Reader reader(shown_file_, {.channels_last = has_channels});
    const std::int64_t slices = reader.description().shape.z;
    sheet_.add(plan_.label(index),
               slices > 1 ? reader.slab(slices / 2, slices / 2 + 1) : reader.read());
    std::filesystem::remove(shown_file_);
  }

  void say(std::size_t index, const Json& error) {
    if (common_.json || common_.quiet) return;
    bar_.clear();
    print_in_time(
        *verb_.invocation, stdout,
        fmt::format("{}{}{}\n", common_.dry_run ? "would run " + verb_.name + " with " : "",
                    plan_.label(index), error.is_null() ? "" : ": " + error["message"].text()));
  }

  void add_run(std::size_t index, Json report, Json error) {
    Json values;
    const auto texts = plan_.values(index);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      values[plan_.axes()[i].option] = number_or_text(texts[i]);
    }
    runs_.push_back({{"values", std::move(values)},
                     {"report", std::move(report)},
                     {"error", std::move(error)}});
  }

  void finish() {
    Json json = {{"verb", verb_.name}, {"version", version()}, {"sweep", Json::array()}};
    for (const SweepAxis& axis : plan_.axes()) json["sweep"].push_back(json_of(axis));
    const auto window = sheet_.window();
    json["columns"] = plan_.columns();
    json["window"] = window ? Json(*window) : Json(nullptr);
    json["runs"] = std::move(runs_);
    const std::string text = json.dump(2) + "\n";
    if (sheet_.shows_anything()) targets_.write(sheet_.picture({.stop = stop_}), text);
    if (common_.json) fmt::print("{}", text);
  }

  Verb& verb_;
  const SweepPlan& plan_;
  const CommonOptions& common_;
  CommonOptions silent_;  ///< The runs say nothing of their own.
  const std::vector<OptionEntry>& common_entries_;
  const std::stop_token stop_;
  const SweepTargets targets_;
  ResultSheet sheet_;
  const TemporaryFolder folder_;
  const InputOptions input_;  ///< As given: a run may settle more of it.
  ProgressBar bar_;
  std::string shown_file_;
  Json runs_ = Json::array();
  std::size_t failures_ = 0;
  std::string no_result_;  ///< What to say when all of them fail.
};

}  // namespace

int run_sweep(Verb& verb, CommonOptions& common, const std::vector<OptionEntry>& common_entries,
              const std::stop_token& stop) {
  out_of(verb);
  refuse_other_outputs(verb);
  const std::vector<SweepAxis> axes = std::exchange(common.sweep, {});  // no run sweeps itself
  const SweepPlan plan(verb, axes);
  return SweptVerb(verb, plan, common, common_entries, stop).run();
}

}  // namespace meander::app
