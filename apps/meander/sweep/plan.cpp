// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "sweep/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace meander::app {
namespace {

constexpr std::size_t most_axes = 2;
constexpr std::size_t most_runs = 256;
constexpr std::size_t most_columns = 8;

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

}  // namespace

SweepPlan::SweepPlan(Verb& verb, const std::vector<SweepAxis>& axes) : axes_(axes) {
  if (axes.size() > most_axes) {
    throw InvalidArgument(
        fmt::format("--sweep: found {} options, expected at most {}", axes.size(), most_axes));
  }
  for (const SweepAxis& axis : axes) {
    OptionEntry& option = option_named(verb, axis.option);
    if (std::find(options_.begin(), options_.end(), &option) != options_.end()) {
      throw InvalidArgument(fmt::format("--sweep: --{} is swept twice", axis.option));
    }
    if (option.given) {
      throw InvalidArgument(
          fmt::format("--sweep: --{0} is swept, expected no --{0} beside it", axis.option));
    }
    options_.push_back(&option);
    values_.push_back(axis.values());
  }
  if (runs() > most_runs) {
    throw InvalidArgument(
        fmt::format("--sweep: found {} runs, expected at most {}", runs(), most_runs));
  }
  for (std::size_t i = 0; i < options_.size(); ++i) {
    for (const std::string& value : values_[i]) check_value(*options_[i], value);
    options_[i]->given = true;
  }
}

std::size_t SweepPlan::runs() const {
  std::size_t product = 1;
  for (const auto& values : values_) product *= values.size();
  return product;
}

std::size_t SweepPlan::columns() const {
  return values_.size() == 2 ? values_[1].size() : std::min(runs(), most_columns);
}

std::vector<std::string> SweepPlan::values(std::size_t run) const {
  if (values_.size() == 1) return {values_[0][run]};
  return {values_[0][run / values_[1].size()], values_[1][run % values_[1].size()]};
}

std::string SweepPlan::label(std::size_t run) const {
  const auto now = values(run);
  std::string text;
  for (std::size_t i = 0; i < now.size(); ++i) {
    text += fmt::format("{}{}={:.6g}", i == 0 ? "" : " ", axes_[i].option,
                        OptionText<double>::parse(now[i]));
  }
  return text;
}

void SweepPlan::apply(std::size_t run) const {
  const auto now = values(run);
  for (std::size_t i = 0; i < now.size(); ++i) options_[i]->set(now[i]);
}

}  // namespace meander::app
