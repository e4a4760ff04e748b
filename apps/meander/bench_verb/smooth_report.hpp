// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "bench/scaling.hpp"
#include "bench/smooth/impulse.hpp"
#include "bench/smooth/smooth.hpp"
#include "session/session.hpp"

namespace meander::app {

/// The impulse response of one job on one device.
struct MeasuredImpulse {
  std::string device;
  bench::SmoothJob job;
  bench::ImpulseResponse response;
};

/// One size of image, measured.
struct MeasuredSize {
  Shape size;
  bench::SmoothResult found;
};

/// A Markdown table for each device, a line for each method, and the same in the report.
void report_accuracy(Session& session, const std::vector<MeasuredImpulse>& impulses);
void report_size(Session& session, const MeasuredSize& measured,
                 const std::vector<MeasuredImpulse>& impulses);
/// What the slowest scale costs over the fastest, for each method but FIR.
void report_flatness(Session& session, const std::vector<MeasuredSize>& sizes);
void report_scaling(Session& session, SmoothMethod method, const bench::Scaling& scaling);
/// Impulse responses of the first scale on the first device, their errors, and times over sizes
/// when there are several.
std::string plot_of(const std::vector<MeasuredImpulse>& impulses,
                    const std::vector<MeasuredSize>& sizes);

}  // namespace meander::app
