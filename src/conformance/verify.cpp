// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/verify.hpp"

#include <functional>
#include <limits>

#include "conformance/line_samples.hpp"

namespace meander {
namespace {

using Check = std::function<std::vector<Deviation>()>;

void add_line_checks(const Device& device, std::vector<Check>& checks) {
  checks.push_back([=] { return conformance::check_scan(device); });
  checks.push_back([=] { return conformance::check_fir(device); });
  for (const PixelType type : conformance::real_types(device)) {
    checks.push_back([=] { return std::vector{conformance::check_scan_pieces(device, type)}; });
    checks.push_back([=] { return std::vector{conformance::check_scan_states(device, type)}; });
    checks.push_back([=] { return std::vector{conformance::check_pointwise(device, type)}; });
    checks.push_back([=] { return conformance::check_stencil(device, type); });
    checks.push_back([=] { return std::vector{conformance::check_relax(device, type)}; });
    checks.push_back([=] { return std::vector{conformance::check_apply(device, type)}; });
    checks.push_back([=] { return conformance::check_transfer(device, type); });
  }
  checks.push_back([=] { return conformance::check_narrow_stencil(device); });
  for (const PixelType type : all_pixel_types) {
    if (type == PixelType::f16) continue;
    // Sums of floats are float64.
    if (!is_integer(type) && !device.info().has_float64) continue;
    checks.push_back([=] { return std::vector{conformance::check_prefix(device, type)}; });
  }
}

std::vector<Check> checks_of(const Device& device) {
  std::vector<Check> checks;
  for (const PixelType type : all_pixel_types) {
    checks.push_back([=] { return std::vector{conformance::check_copy(device, type)}; });
    // A device without float64 can hold such images, but not compute with them.
    if (type == PixelType::f64 && !device.info().has_float64) continue;
    checks.push_back([=] { return std::vector{conformance::check_identity(device, type)}; });
    checks.push_back([=] { return std::vector{conformance::check_affine(device, type)}; });
    checks.push_back([=] { return conformance::check_reduce(device, type); });
  }
  add_line_checks(device, checks);
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::i16}) {
    checks.push_back([=] { return conformance::check_contour(device, type); });
  }
  checks.push_back([=] { return std::vector{conformance::check_snake(device)}; });
  return checks;
}

std::vector<Deviation> outcome_of(const Check& check) {
  try {
    return check();
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    Deviation failed{.engine = "device", .check = "error"};
    failed.deviation = std::numeric_limits<double>::quiet_NaN();
    failed.failure = error.what();
    return {failed};
  }
}

}  // namespace

std::vector<Deviation> verify(const Device& device, const Control& control) {
  std::vector<Deviation> all;
  const std::vector<Check> checks = checks_of(device);
  for (std::size_t i = 0; i < checks.size(); ++i) {
    control.step(static_cast<double>(i) / static_cast<double>(checks.size()));
    for (Deviation& found : outcome_of(checks[i])) all.push_back(std::move(found));
  }
  return all;
}

}  // namespace meander
