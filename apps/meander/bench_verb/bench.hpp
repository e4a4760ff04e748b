// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options/list.hpp"
#include "session/session.hpp"

namespace meander::app {

/// Of all benchmarks. What is empty has a default that depends on what is measured.
struct BenchOptions {
  std::optional<std::vector<Shape>> size;
  std::int64_t runs = 9;

  template <class Visitor>
  void describe(Visitor& v) {
    v(size, {.name = "size",
             .unit = "pixels",
             .min = 1,
             .max = 1e6,
             .help = "size of the image; all but io measure each of a list [io 12000x12000, smooth "
                     "2048x2048, react 512x512 to 4096x4096, flow 256x256 to 4096x4096 and "
                     "64x64x64 to 256x256x256, its accuracy 512x512, segment 1024x1024 to "
                     "12000x12000, its accuracy 1024x1024]"});
    v(runs, {.name = "runs",
             .min = 1,
             .max = 1000,
             .help = "timed runs of each candidate, taken in turn"});
  }
};

/// Of the benchmarks that draw; refused elsewhere.
struct PlotOptions {
  std::string plot;

  template <class Visitor>
  void describe(Visitor& v) {
    v(plot, {.name = "plot",
             .help = "an SVG file: smooth draws the impulse responses of the first sigma and, with "
                     "several sizes, the times; react, flow and segment the times over the sizes"});
  }
};

/// Of the benchmarks that can leave out the times; refused elsewhere.
struct AccuracyOptions {
  bool accuracy = false;

  template <class Visitor>
  void describe(Visitor& v) {
    v(accuracy, {.name = "accuracy",
                 .help = "only a table in Markdown: smooth: errors of the impulse responses; flow: "
                         "errors of storages and solvers; segment: scores against the truth"});
  }
};

/// Of `bench react` alone; refused elsewhere.
struct ReactBenchOptions {
  bool paper = false;
  bool groups = false;

  template <class Visitor>
  void describe(Visitor& v) {
    v(paper, {.name = "paper", .help = "react: all seven sizes of the paper's last table"});
    v(groups, {.name = "groups",
               .help = "react: on a GPU, one step a launch by groups of other shapes and, up to "
                       "256x256, by a single work item, as in the paper's tables 3 and 5 and "
                       "figure 5 [sizes 128x128, 256x256 and 512x512]"});
  }
};

/// Of `bench device` alone; refused elsewhere.
struct DeviceBenchOptions {
  std::int64_t divisor = 1;
  std::string rows;

  template <class Visitor>
  void describe(Visitor& v) {
    v(divisor, {.name = "divisor",
                .min = 1,
                .max = 16,
                .help = "device: the sides of all images are so many times smaller"});
    v(rows, {.name = "rows", .help = "device: only rows whose names have this text in them"});
  }
};

/// Of `bench smooth` alone; all are refused elsewhere.
struct SmoothBenchOptions {
  std::optional<std::vector<double>> sigma;
  std::optional<std::vector<SmoothMethod>> methods;
  std::optional<Precision> precision;
  std::string image;
  bool blank = false;
  std::string against;

  template <class Visitor>
  void describe(Visitor& v) {
    v(sigma, {.name = "sigma",
              .unit = "pixels",
              .min = 0.01,
              .max = 1e5,
              .help = "smooth: scales to measure [12]"});
    v(methods, {.name = "methods", .help = "smooth: methods to measure [all]"});
    v(precision, {.name = "precision", .help = "smooth: arithmetic and image [float]"});
    v(image, {.name = "image", .help = "smooth: an image file to smooth [a star with noise]"});
    v(blank, {.name = "blank", .help = "smooth: a blank image instead of the star"});
    v(against,
      {.name = "against",
       .help = "smooth: a second device that does the same; its difference to the first is given"});
  }
};

int run_bench_device(Session& session, const BenchOptions& options,
                     const DeviceBenchOptions& device);
int run_bench_io(Session& session, const BenchOptions& options);
int run_bench_smooth(Session& session, const BenchOptions& options,
                     const SmoothBenchOptions& smooth, const AccuracyOptions& errors,
                     const PlotOptions& drawing);
int run_bench_react(Session& session, const BenchOptions& options, const ReactBenchOptions& react,
                    const PlotOptions& drawing);
int run_bench_flow(Session& session, const BenchOptions& options, const AccuracyOptions& errors,
                   const PlotOptions& drawing);
int run_bench_segment(Session& session, const BenchOptions& options, const AccuracyOptions& errors,
                      const PlotOptions& drawing);

}  // namespace meander::app
