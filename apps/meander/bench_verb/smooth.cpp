// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "bench_verb/bench.hpp"
#include "bench_verb/figures.hpp"
#include "bench_verb/smooth_report.hpp"
#include "meander/convert.hpp"
#include "meander/phantom.hpp"

namespace meander::app {
namespace {

void check_combination(const BenchOptions& options, const SmoothBenchOptions& smooth,
                       bool accuracy) {
  const bool image = !smooth.image.empty();
  if (image && (options.size || smooth.blank)) {
    throw InvalidArgument("--image: found with --size or --blank, expected it alone");
  }
  if (accuracy && (image || options.size || smooth.blank)) {
    throw InvalidArgument(
        "--accuracy: found with --size, --image or --blank, expected it without an image");
  }
}

std::vector<SmoothMethod> all_methods() {
  std::vector<SmoothMethod> methods;
  for (const auto& [method, name] : ChoiceNames<SmoothMethod>::values) methods.push_back(method);
  return methods;
}

/// What is to be measured, with defaults filled in and reported.
struct Plan {
  std::vector<Shape> sizes;  ///< Empty when an image is given.
  std::vector<bench::SmoothJob> jobs;
  std::vector<Device> devices;
  Precision precision;

  PixelType type() const {
    return precision == Precision::float64 ? PixelType::f64 : PixelType::f32;
  }
};

/// Every method at every scale. Those that cannot do a scale are left out, with the reason, unless
/// they were asked for.
std::vector<bench::SmoothJob> jobs_of(Session& session, const SmoothBenchOptions& smooth,
                                      Precision precision) {
  const auto sigmas = smooth.sigma.value_or(std::vector{12.0});
  const auto methods = smooth.methods.value_or(all_methods());
  session.report().set_option("sigma", OptionText<std::vector<double>>::format(sigmas));
  session.report().set_option("methods", OptionText<std::vector<SmoothMethod>>::format(methods));
  std::vector<bench::SmoothJob> jobs;
  for (const double sigma : sigmas) {
    for (const SmoothMethod method : methods) {
      try {
        plan_smooth({.shape = {64, 64, 1}},
                    {.sigma = Scale(sigma), .method = method, .precision = precision});
        jobs.push_back({method, sigma});
      } catch (const InvalidArgument& error) {
        if (smooth.methods) throw;
        session.log(error.what());
      }
    }
  }
  return jobs;
}

Plan plan_of(Session& session, const BenchOptions& options, const SmoothBenchOptions& smooth,
             bool accuracy) {
  check_combination(options, smooth, accuracy);
  Plan plan;
  plan.precision = smooth.precision.value_or(Precision::float32);
  session.report().set_option("precision", OptionText<Precision>::format(plan.precision));
  if (smooth.image.empty() && !accuracy) {
    plan.sizes = options.size.value_or(std::vector{Shape{2048, 2048, 1}});
    session.report().set_option("size", OptionText<std::vector<Shape>>::format(plan.sizes));
  }
  plan.jobs = jobs_of(session, smooth, plan.precision);
  plan.devices.push_back(session.device());
  if (!smooth.against.empty()) plan.devices.push_back(Device::open(smooth.against));
  if (plan.devices.size() > 1 && plan.devices[0] == plan.devices[1]) {
    throw InvalidArgument(fmt::format("--against: found {} on both sides, expected another device",
                                      plan.devices[1].name()));
  }
  return plan;
}

/// A star with noise, between about 0 and 255 as in the paper; or nothing at all.
Image made_image(const Shape& size, bool blank, PixelType type, const Control& control) {
  PhantomOptions options{.kind = blank ? PhantomKind::constant : PhantomKind::star,
                         .size = size,
                         .type = type,
                         .noise = {blank ? NoiseFamily::none : NoiseFamily::gaussian},
                         .levels = std::array{blank ? 0.0 : 64.0, 192.0}};
  return phantom(options, control);
}

Image given_image(Session& session, const std::string& path, PixelType type) {
  const Image image = session.report().timed("read", [&] { return io::read(path); });
  session.report().add_input(path, image.description());
  return convert(image, {.type = type}).download();
}

std::vector<MeasuredImpulse> impulses_of(const Plan& plan, const Control& control) {
  std::vector<MeasuredImpulse> impulses;
  for (const Device& device : plan.devices) {
    for (const bench::SmoothJob& job : plan.jobs) {
      control.step(static_cast<double>(impulses.size()) /
                   static_cast<double>(plan.jobs.size() * plan.devices.size()));
      impulses.push_back({device.name(), job,
                          bench::impulse_response(job.method, job.sigma, plan.precision, device)});
    }
  }
  return impulses;
}

/// The first job again, with one thread and with all of them.
void measure_scaling(Session& session, const Plan& plan, const Image& image, int runs) {
  const bench::SmoothJob& job = plan.jobs.front();
  const Device& device = plan.devices.front();
  if (device.name() != "cpu" || threads() == 1) return;
  const auto work = [&] {
    smooth(image, {.sigma = Scale(job.sigma), .method = job.method, .precision = plan.precision});
    device.synchronize();
  };
  report_scaling(session, job.method,
                 bench::scaling_of(work, runs, {.stop = session.control().stop, .progress = {}}));
}

std::vector<MeasuredSize> measure_sizes(Session& session, const BenchOptions& options,
                                        const SmoothBenchOptions& smooth, const Plan& plan,
                                        const std::vector<MeasuredImpulse>& impulses) {
  std::vector<MeasuredSize> sizes;
  const auto runs = static_cast<int>(options.runs);
  const std::size_t count = std::max<std::size_t>(1, plan.sizes.size());
  Image image;
  for (std::size_t i = 0; i < count; ++i) {
    const auto share = [&](double part) {
      return 0.1 + 0.9 * (static_cast<double>(i) + part) / static_cast<double>(count);
    };
    image = Image();
    image = smooth.image.empty() ? made_image(plan.sizes[i], smooth.blank, plan.type(),
                                              session.control(share(0), share(0.1)))
                                 : given_image(session, smooth.image, plan.type());
    const bench::SmoothBench bench{.image = image,
                                   .jobs = plan.jobs,
                                   .devices = plan.devices,
                                   .precision = plan.precision,
                                   .runs = runs};
    sizes.push_back(
        {image.shape(), bench::bench_smooth(bench, session.control(share(0.1), share(1)))});
    report_size(session, sizes.back(), impulses);
  }
  report_flatness(session, sizes);
  measure_scaling(session, plan, image, runs);
  return sizes;
}

void say_plan(Session& session, const Plan& plan, std::int64_t runs) {
  for (const Shape& size : plan.sizes) {
    session.say(fmt::format("would smooth a {} image in {} ways, {} times each, on {} devices",
                            to_string(size), plan.jobs.size(), runs, plan.devices.size()));
  }
  if (plan.sizes.empty()) session.say(fmt::format("would smooth in {} ways", plan.jobs.size()));
}

}  // namespace

int run_bench_smooth(Session& session, const BenchOptions& options,
                     const SmoothBenchOptions& smooth, const AccuracyOptions& errors,
                     const PlotOptions& drawing) {
  const Plan plan = plan_of(session, options, smooth, errors.accuracy);
  if (session.common().dry_run) {
    say_plan(session, plan, options.runs);
    return done;
  }
  const std::vector<MeasuredImpulse> impulses = impulses_of(plan, session.control(0, 0.1));
  std::vector<MeasuredSize> sizes;
  if (errors.accuracy) {
    report_accuracy(session, impulses);
  } else {
    sizes = measure_sizes(session, options, smooth, plan, impulses);
  }
  write_plot(session, drawing, [&] { return plot_of(impulses, sizes); });
  return done;
}

}  // namespace meander::app
