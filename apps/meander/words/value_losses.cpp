// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "words/value_losses.hpp"

#include <fmt/format.h>

#include "meander/io.hpp"

namespace meander::app {
namespace {

/// Those of a few dead or hot pixels are no news.
constexpr std::int64_t one_in = 1000;

}  // namespace

void ValueLosses::add(const ValueLosses& part) {
  values += part.values;
  saturated += part.saturated;
  zeroed += part.zeroed;
  not_finite += part.not_finite;
  type = part.type;
  keeping = part.keeping;
  advice = part.advice;
}

std::vector<std::string> ValueLosses::warnings(const std::string& in) const {
  const auto share = [&](std::int64_t count) {
    return fmt::format("{} of {} values ({:.3g} %)", count, values,
                       100 * static_cast<double>(count) / static_cast<double>(values));
  };
  std::vector<std::string> lines;
  const bool saturates = !advice.empty() && saturated > values / one_in;
  const std::string nan = fmt::format("{} were NaN and became 0", share(zeroed));
  if (saturates) {
    lines.push_back(fmt::format("{}: {} saturated at the ends of {}, {:g} and {:g}{}; {}", in,
                                share(saturated), name_of(type), lowest_of(type), highest_of(type),
                                zeroed > 0 ? ", and " + nan : "", advice));
  } else if (zeroed > 0) {
    lines.push_back(fmt::format("{}: {}; {}", in, nan, keeping));
  }
  if (not_finite > 0) {
    lines.push_back(fmt::format(
        "{}: {} became NaN{}, because IN holds NaN or infinities; --nonfinite ignore fills in "
        "from their neighbours",
        in, share(not_finite), is_integer(type) ? ", which is written as 0" : ""));
  }
  return lines;
}

ValueLosses no_losses(PixelType type, const std::string& path) {
  const std::string keeping =
      io::can_hold(path, PixelType::f32)
          ? "--type f32 keeps them"
          : "a file that holds f32, such as .tif, keeps them with --type f32";
  return {.type = type, .keeping = keeping, .advice = keeping};
}

ValueLosses losses_of(const Image& image, const ConvertOptions& options, const std::string& path) {
  ValueLosses losses = no_losses(options.type.value_or(image.type()), path);
  losses.values = image.shape().x * image.shape().y * image.shape().z * image.channels();
  losses.saturated = count_saturated(image, options);
  return losses;
}

}  // namespace meander::app
