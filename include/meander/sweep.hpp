// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "meander/options.hpp"

/// Trying values of options: a run for each value of one option, or for each pair of values of two.
/// ResultSheet (picture.hpp) shows the results side by side.
namespace meander {

/// An option that is varied: `count` values from `from` to `to`, both included.
struct SweepAxis {
  std::string option;         ///< Its name, as `describe` has it.
  double from = 0;            ///< The first value, in the option's unit.
  double to = 0;              ///< The last one.
  std::int64_t count = 1;     ///< From 1 to `most_values`.
  bool is_geometric = false;  ///< Equal ratios rather than equal distances.

  /// As texts that options parse: whole numbers without a point, others with at most 12 digits, so
  /// that 0.1:0.5:5 holds 0.3.
  std::vector<std::string> values() const;

  static constexpr std::int64_t most_values = 64;  ///< Of one option.
};

/// "sigma=1:8:4" or "sigma=1:8:4:log".
template <>
struct OptionText<SweepAxis> {
  static SweepAxis parse(std::string_view text);
  static std::string format(const SweepAxis& axis);
  static std::string syntax() { return "option=from:to:count or option=from:to:count:log"; }
};

/// The runs of a sweep, counted from 0. Of two options the second's values change fastest.
class Sweep {
 public:
  static constexpr std::size_t most_axes = 2;    ///< Options varied.
  static constexpr std::size_t most_runs = 256;  ///< Of all of them.

  /// Throws InvalidArgument for no option, for more than `most_axes`, for one that is there twice,
  /// and for more than `most_runs`.
  explicit Sweep(std::vector<SweepAxis> axes);

  const std::vector<SweepAxis>& axes() const { return axes_; }  ///< As given.
  std::size_t runs() const;                                     ///< How many there are.
  /// Of a sheet of the results: the second option's values, where there are two; otherwise at
  /// most 8.
  std::size_t columns() const;
  std::size_t rows() const { return (runs() + columns() - 1) / columns(); }  ///< Of that sheet.

  /// The values of a run, one for each option, as texts that options parse.
  std::vector<std::string> values(std::size_t run) const;
  /// "sigma=2 mu=0.1", with at most six digits each.
  std::string label(std::size_t run) const;
  /// `base` with the values of a run. Throws InvalidArgument, naming the option, for one that the
  /// struct does not have and for values that it does not take or that are out of its range.
  template <class Options>
  Options options(Options base, std::size_t run) const;

 private:
  std::vector<SweepAxis> axes_;
  std::vector<std::vector<std::string>> values_;  ///< Of each axis.
};

namespace detail {

[[noreturn]] void refuse_swept(const std::string& option, const std::string& value,
                               const std::string& why);

/// Sets the option of a name from text.
struct OptionSetter {
  std::string_view name, text;
  bool found = false;

  template <class T>
  void operator()(T& value, const OptionInfo& info) {
    if (info.name != name) return;
    found = true;
    value = OptionText<T>::parse(text);
    check_range(value, info);
  }
};

}  // namespace detail

template <class Options>
Options Sweep::options(Options base, std::size_t run) const {
  const std::vector<std::string> texts = values(run);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    detail::OptionSetter setter{axes_[i].option, texts[i]};
    try {
      base.describe(setter);
    } catch (const InvalidArgument& fault) {
      detail::refuse_swept(axes_[i].option, texts[i], fault.what());
    }
    if (!setter.found) detail::refuse_swept(axes_[i].option, texts[i], "no such option");
  }
  return base;
}

}  // namespace meander
