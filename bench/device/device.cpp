// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/device/device.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "bench/flow/grids.hpp"
#include "core/image_state.hpp"
#include "core/message.hpp"
#include "engine/backend.hpp"
#include "meander/edge.hpp"
#include "meander/error.hpp"
#include "meander/flow.hpp"
#include "meander/objects.hpp"
#include "meander/phantom.hpp"
#include "meander/react.hpp"
#include "meander/smooth.hpp"

namespace meander::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Work = std::function<void()>;

/// A row: its image, what is done with it on a device, and the bytes that plain passes move.
struct Task {
  std::string name;
  Shape shape;
  std::function<Image(const Shape&)> image;  ///< In host memory.
  std::function<Work(const Image& host, const Device&)> on;
  double bytes_per_pixel = 0;
  bool is_transfer = false;  ///< Which has no like on `cpu`.
  bool takes_steps = false;  ///< Which some devices take several a pass.
};

Image float_star(const Shape& shape) {
  return flow_image(flow_kind(shape), shape, NoiseFamily::gaussian, {});
}
Image u16_star(const Shape& shape) {
  return Phantom({.kind = PhantomKind::star,
                  .size = shape,
                  .noise = {.family = NoiseFamily::gaussian},
                  .snr = 2})
      .slab(0, shape.y);
}

Task smoothing(const Shape& shape, SmoothMethod method = SmoothMethod::automatic,
               double sigma = 12) {
  const int axes = shape.z > 1 ? 3 : 2;
  const std::string name =
      method == SmoothMethod::automatic ? "" : OptionText<SmoothMethod>::format(method) + ", ";
  return {.name = message("Gaussian, sigma ", sigma, ", ", name, to_string(shape)),
          .shape = shape,
          .image = float_star,
          .on = [=](const Image& host, const Device& device) -> Work {
            return [=, image = device.upload(host)] {
              smooth(image, {.sigma = {sigma}, .method = method});
            };
          },
          .bytes_per_pixel = axes * 8.0};
}

Task prefix_sums(const Shape& shape, engine::Axis axis) {
  return {.name = message("prefix sums of u16 along ", axis == engine::Axis::x ? "x" : "y", ", ",
                          to_string(shape)),
          .shape = shape,
          .image = u16_star,
          .on = [=](const Image& host, const Device& device) -> Work {
            const Image in = device.upload(host);
            const Image out = device.allocate({.shape = host.shape(), .type = PixelType::f64});
            return [=] {
              device.backend().prefix(in.state().view, out.state().view, axis,
                                      engine::Prefix::inclusive);
            };
          },
          .bytes_per_pixel = 10};
}

Task network(const Shape& shape) {
  return {.name = "RD network, 200 steps, " + to_string(shape),
          .shape = shape,
          .image = float_star,
          .on = [](const Image& host, const Device& device) -> Work {
            ReactOptions options;
            options.steps = 200;
            auto reactor = std::make_shared<Reactor>(device, host.description(), options);
            return [reactor, image = device.upload(host)] { reactor->run(image); };
          },
          .bytes_per_pixel = 200 * 16.0,
          .takes_steps = true};
}

Task explicit_flow(const Shape& shape, std::int64_t steps, FlowStorage storage) {
  const int components = shape.z > 1 ? 3 : 2;
  const int number = storage == FlowStorage::f32 ? 4 : 2;
  return {.name = "flow, " + std::to_string(steps) + " explicit steps, " +
                  OptionText<FlowStorage>::format(storage) + ", " + to_string(shape),
          .shape = shape,
          .image = float_star,
          .on = [=](const Image& host, const Device& device) -> Work {
            FlowOptions options;
            options.solver = FlowSolver::explicit_steps;
            options.mu = 0.1;
            options.iterations = steps;
            options.storage = storage;
            return [options, image = device.upload(host)] { flow(image, options); };
          },
          .bytes_per_pixel = static_cast<double>(steps * components * number * 3),
          .takes_steps = true};
}

Task multigrid_flow(const Shape& shape) {
  return {.name = "flow, multigrid to 1e-4, " + to_string(shape),
          .shape = shape,
          .image = float_star,
          .on = [](const Image& host, const Device& device) -> Work {
            FlowOptions options;
            options.mu = 0.1;
            options.tolerance = 1e-4;
            return [options, image = device.upload(host)] { flow(image, options); };
          }};
}

Task reduction(const Shape& shape) {
  return {.name = "reduction and fetch, " + to_string(shape),
          .shape = shape,
          .image = float_star,
          .on = [](const Image& host, const Device& device) -> Work {
            return [image = device.upload(host)] {
              image.state().backend->reduced(image.state().view, engine::Wanted::all);
            };
          },
          .bytes_per_pixel = 4};
}

Task upload(const Shape& shape) {
  return {.name = "upload, f32, " + to_string(shape),
          .shape = shape,
          .image = float_star,
          .on = [](const Image& host, const Device& device) -> Work {
            if (device.backend().uses_host_memory())
              throw Unsupported("it computes in host memory");
            return [host, device] { device.upload(host); };
          },
          .bytes_per_pixel = 4,
          .is_transfer = true};
}
Task download(const Shape& shape) {
  return {.name = "download, f32, " + to_string(shape),
          .shape = shape,
          .image = float_star,
          .on = [](const Image& host, const Device& device) -> Work {
            if (device.backend().uses_host_memory())
              throw Unsupported("it computes in host memory");
            return [image = device.upload(host)] { image.download(); };
          },
          .bytes_per_pixel = 4,
          .is_transfer = true};
}

Task region_snake(const Shape& shape) {
  return {.name = "region snake from a box, " + to_string(shape),
          .shape = shape,
          .image = u16_star,
          .on = [](const Image& host, const Device& device) -> Work {
            return [image = device.upload(host)] { segment(image, {}); };
          }};
}

Task finding(const std::string& what, const Shape& shape,
             std::function<Image(const Shape&)> image) {
  return {.name = "segment, " + what + ", " + to_string(shape),
          .shape = shape,
          .image = std::move(image),
          .on = [](const Image& host, const Device& device) -> Work {
            return [image = device.upload(host)] { segment_objects(image, {}); };
          }};
}

Task many_objects(const Shape& shape, std::int64_t count) {
  return finding(std::to_string(count) + " objects", shape, [=](const Shape& size) {
    return Phantom({.kind = PhantomKind::blobs,
                    .size = size,
                    .noise = {.family = NoiseFamily::gaussian},
                    .snr = 2,
                    .count = count})
        .slab(0, size.y);
  });
}

Task edge_snake(const Shape& shape) {
  return {.name = "edge snake, " + to_string(shape),
          .shape = shape,
          .image = u16_star,
          .on = [](const Image& host, const Device& device) -> Work {
            return [image = device.upload(host)] { segment_edges(image, {}); };
          }};
}

std::vector<Task> all_tasks(std::int64_t divisor) {
  const auto plane = [=](std::int64_t side) { return Shape{side / divisor, side / divisor, 1}; };
  const auto cube = [=](std::int64_t side) {
    return Shape{side / divisor, side / divisor, side / divisor};
  };
  return {network(plane(4096)),
          network(plane(512)),
          explicit_flow(plane(512), 512, FlowStorage::f32),
          explicit_flow(cube(256), 256, FlowStorage::f32),
          explicit_flow(cube(256), 256, FlowStorage::f16),
          explicit_flow(cube(256), 256, FlowStorage::snorm16),
          multigrid_flow(plane(512)),
          multigrid_flow(cube(256)),
          smoothing(plane(1024)),
          smoothing({1024 / divisor, 1024 / divisor, 32}),
          smoothing(plane(4096)),
          smoothing({5000 / divisor, 3000 / divisor, 1}),
          smoothing({1023 / divisor, 1025 / divisor, 1}),
          smoothing(plane(1024), SmoothMethod::vanvliet3),
          smoothing({1024 / divisor, 1024 / divisor, 32}, SmoothMethod::vanvliet3),
          smoothing(plane(4096), SmoothMethod::vanvliet3),
          smoothing({1024 / divisor, 1024 / divisor, 32}, SmoothMethod::exponential6),
          smoothing(plane(4096), SmoothMethod::fir, 2),
          prefix_sums(plane(4096), engine::Axis::x),
          prefix_sums(plane(4096), engine::Axis::y),
          reduction(plane(512)),
          reduction(plane(4096)),
          upload(plane(8485)),
          download(plane(8485)),
          region_snake(plane(3872)),
          many_objects(plane(4096), 500 / (divisor * divisor)),
          finding("finding included", plane(12000), u16_star),
          edge_snake(plane(4096))};
}

double seconds_of(const Device& device, const Work& work) {
  device.synchronize();
  const auto begin = Clock::now();
  work();
  device.synchronize();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> values) { return quartiles(std::move(values)).median; }

DeviceCounters cost_of(const Device& device, const Work& work) {
  const DeviceCounters before = device.counters();
  work();
  return device.counters() - before;
}

/// 0 where there is no plain way.
double plain_seconds(const Device& device, const Work& work, int runs, const Control& control) {
  const engine::PlainSteps as_is_fastest;
  const WithPlainSteps plain(device, &as_is_fastest);
  if (!plain.is_there()) return 0;
  std::vector<double> seconds;
  for (int run = 0; run < runs; ++run) {
    control.step(0);
    const double clock = device.backend().device_seconds(work);
    seconds.push_back(clock > 0 ? clock : seconds_of(device, work));
  }
  return median(seconds);
}

void measure(DeviceRow& row, const Task& task, const Device& device, int runs, double copy_rate,
             const Control& control) {
  const Device cpu = Device::open("cpu");
  const Image host = task.image(task.shape);
  const Work here = task.on(host, device);
  const Work there = device == cpu || task.is_transfer ? Work() : task.on(host, cpu);
  double slower = seconds_of(device, here);
  if (there) slower = std::max(slower, seconds_of(cpu, there));
  row.cost = cost_of(device, here);
  constexpr double most_seconds = 6;
  const auto fitting = static_cast<int>(most_seconds / std::max(slower, 1e-6) / 2);
  // While `cpu` has its turn the device falls asleep: a call comes after one that is not timed, and
  // the device's clock is that of some calls in a row, where the host is ahead of it.
  const int in_a_row = device.info().is_gpu && slower < 0.05 ? 8 : 1;
  const Work row_of_calls = [&] {
    for (int i = 0; i < in_a_row; ++i) here();
  };
  std::vector<double> calls, clocks, ratios;
  for (int run = 0; run < std::clamp(fitting, std::min(3, runs), runs); ++run) {
    control.step(0);
    if (in_a_row > 1) seconds_of(device, here);
    calls.push_back(seconds_of(device, here));
    clocks.push_back(device.backend().device_seconds(row_of_calls) / in_a_row);
    if (there) ratios.push_back(calls.back() / seconds_of(cpu, there));
  }
  row.call = quartiles(calls);
  if (task.takes_steps) row.plain = plain_seconds(device, here, std::min(runs, 3), control);
  if (there) row.over_cpu = quartiles(ratios);
  row.device = median(clocks);
  row.bytes =
      task.bytes_per_pixel * static_cast<double>(task.shape.x * task.shape.y * task.shape.z);
  row.part_of_copy = row.bytes / (row.device > 0 ? row.device : row.call.median) / copy_rate;
}

double copy_rate_of(const Device& device, std::int64_t divisor, int runs) {
  const Image from = device.allocate({.shape = {8192 / divisor, 8192 / divisor, 1}});
  const Image to = device.allocate(from.description());
  engine::Backend& backend = device.backend();
  const Work copy = [&] { backend.convert(from.state().view, to.state().view, {}); };
  seconds_of(device, copy);
  std::vector<double> seconds;
  for (int run = 0; run < runs; ++run) {
    const double clock = backend.device_seconds(copy);
    seconds.push_back(clock > 0 ? clock : seconds_of(device, copy));
  }
  return 2 * static_cast<double>(from.description().bytes()) / median(seconds);
}

}  // namespace

DeviceBench bench_device(const Device& device, std::int64_t divisor, int runs,
                         const std::string& part_of_name, const Control& control) {
  std::vector<Task> tasks = all_tasks(divisor);
  std::erase_if(
      tasks, [&](const Task& task) { return task.name.find(part_of_name) == std::string::npos; });
  if (tasks.empty()) {
    throw InvalidArgument("rows is '" + part_of_name +
                          "', expected part of a row's name, as in 'Gaussian'");
  }
  DeviceBench all{.device = device.name(),
                  .copy_bytes_per_second = copy_rate_of(device, divisor, runs)};
  for (const Task& task : tasks) {
    control.step(static_cast<double>(all.rows.size()) / static_cast<double>(tasks.size()));
    all.rows.push_back({.work = task.name});
    try {
      measure(all.rows.back(), task, device, runs, all.copy_bytes_per_second,
              {.stop = control.stop});
    } catch (const OutOfMemory& error) {
      all.rows.back().left_out = error.what();
    } catch (const Unsupported& error) {
      all.rows.back().left_out = error.what();
    }
  }
  return all;
}

}  // namespace meander::bench
