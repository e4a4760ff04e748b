// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "bench/svg_plot.hpp"
#include "bench_verb/smooth_report.hpp"

namespace meander::app {
namespace {

using bench::Panel;
using bench::Series;

constexpr std::int64_t most_points = 400;

/// The response, or how far it is from the Gaussian, to 6 sigma on either side.
Series curve_of(const MeasuredImpulse& impulse, bool difference) {
  Series series{.name = OptionText<SmoothMethod>::format(impulse.job.method), .points = {}};
  const std::vector<double>&found = impulse.response.found, &exact = impulse.response.exact;
  const auto radius = static_cast<std::int64_t>(found.size() / 2);
  const auto reach = std::min(radius, static_cast<std::int64_t>(6 * impulse.job.sigma) + 1);
  const std::int64_t step = std::max<std::int64_t>(1, 2 * reach / most_points);
  for (std::int64_t n = -reach; n <= reach; n += step) {
    const auto place = static_cast<std::size_t>(radius + n);
    series.points.push_back(
        {static_cast<double>(n), difference ? found[place] - exact[place] : found[place]});
  }
  return series;
}

/// Time over pixels, in the order of the impulses' methods, so that colours agree.
Panel times_of(const std::vector<Series>& methods, const MeasuredImpulse& first,
               const std::vector<MeasuredSize>& sizes) {
  Panel panel{.title = "time on " + first.device,
              .x_label = "pixels",
              .y_label = "milliseconds",
              .logarithmic = true,
              .series = {}};
  for (const Series& method : methods) {
    Series series{.name = method.name, .points = {}};
    for (const MeasuredSize& measured : sizes) {
      const Shape& size = measured.size;
      for (const bench::SmoothRow& row : measured.found.rows) {
        if (row.device == first.device && row.job.sigma == first.job.sigma && !row.transfers &&
            OptionText<SmoothMethod>::format(row.job.method) == method.name) {
          series.points.push_back(
              {static_cast<double>(size.x * size.y * size.z), row.seconds.median * 1e3});
        }
      }
    }
    std::sort(series.points.begin(), series.points.end());
    panel.series.push_back(std::move(series));
  }
  return panel;
}

}  // namespace

std::string plot_of(const std::vector<MeasuredImpulse>& impulses,
                    const std::vector<MeasuredSize>& sizes) {
  const MeasuredImpulse& first = impulses.front();
  const std::string scale = "sigma " + OptionText<double>::format(first.job.sigma);
  Panel responses{.title = "impulse responses, " + scale,
                  .x_label = "pixels from the impulse",
                  .y_label = "of the peak",
                  .series = {}};
  Panel errors = responses;
  errors.title = "difference to the sampled Gaussian, " + scale;
  for (const MeasuredImpulse& impulse : impulses) {
    if (impulse.device != first.device || impulse.job.sigma != first.job.sigma) continue;
    responses.series.push_back(curve_of(impulse, false));
    errors.series.push_back(curve_of(impulse, true));
  }
  std::vector<Panel> panels{responses, errors};
  if (sizes.size() > 1) panels.push_back(times_of(responses.series, first, sizes));
  return bench::svg_plot(panels);
}

}  // namespace meander::app
