// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/work.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "core/message.hpp"
#include "engine/registry.hpp"

namespace meander {
namespace {

constexpr std::size_t most_bytes = 1 << 16;  // of a file of figures

/// "0.41 s", "12 s".
std::string in_words(double seconds) {
  if (seconds < 0.001) return "less than 0.001 s";
  char text[64];
  std::snprintf(text, sizeof text, seconds < 10 ? "%.2g s" : "%.0f s", std::min(seconds, 1e30));
  return text;
}

std::string words_for(const DeviceFigures& device) {
  if (device.name == "cuda") return "a CUDA GPU";
  if (device.name == "opencl") return "an OpenCL GPU";
  return device.name;
}

bool is_of(const DeviceFigures& figures, const DeviceInfo& info) {
  return info.name == figures.name || info.name.starts_with(figures.name + ":");
}

/// GPUs that may be used; drivers have been loaded for it.
std::vector<std::shared_ptr<engine::Backend>> gpus_for(const Work& work) {
  std::vector<std::shared_ptr<engine::Backend>> gpus;
  for (const auto& device : engine::registry().devices) {
    const DeviceInfo& info = device->info();
    if (info.is_gpu && (info.has_float64 || !work.needs_float64)) gpus.push_back(device);
  }
  return gpus;
}

/// Without loading a driver.
bool is_open(const DeviceFigures& figures) {
  if (!figures.is_gpu() || !engine::has_registry()) return false;
  return std::ranges::any_of(engine::registry().devices, [&](const auto& device) {
    return device->info().is_gpu && is_of(figures, device->info()) &&
           device->pool().allocations() > 0;
  });
}

/// The figures to go by, and why not those of the file.
struct Known {
  Figures figures;
  std::string warning;
};

Known built_in(const std::filesystem::path& file = {}, std::string_view fault = {}) {
  Known known{built_in_figures(threads()), {}};
  if (!file.empty()) {
    known.warning = message(file.string(), ": ", fault,
                            "; these figures are ignored, `meander devices --measure` renews them");
  }
  return known;
}

/// Throws MalformedFile for what was measured elsewhere.
void check_machine(const Figures& figures) {
  const std::string& processor = engine::host_backend()->info().description;
  if (figures.devices.front().description != processor) {
    throw MalformedFile(message("is of the processor '", figures.devices.front().description,
                                "', expected '", processor, "'"));
  }
  if (figures.driver != nvidia_driver()) {
    throw MalformedFile(
        message("is of the driver '", figures.driver, "', expected '", nvidia_driver(), "'"));
  }
}

Known known_figures() {
  const std::filesystem::path file = figures_file();
  std::error_code none;
  if (file.empty() || !std::filesystem::exists(file, none)) return built_in();
  try {
    // A pipe or a device would be waited for.
    if (!std::filesystem::is_regular_file(file, none)) throw MalformedFile("is no regular file");
    std::ifstream stream(file, std::ios::binary);
    std::string text(most_bytes + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (stream.bad() || text.empty()) throw MalformedFile("cannot be read");
    if (text.size() > most_bytes) throw MalformedFile("is too long");
    const Figures figures = figures_in(text);
    check_machine(figures);
    return {scaled(figures, threads()), {}};
  } catch (const Error& fault) {
    return built_in(file, fault.what());
  }
}

/// What keeps figures from being those of these GPUs; empty: nothing.
std::string mismatch(const Figures& figures) {
  for (const DeviceFigures& device : figures.devices) {
    if (!device.is_gpu()) continue;
    const auto infos = Device::list();
    const auto here = std::ranges::find(infos, device.name, &DeviceInfo::name);
    if (here == infos.end()) return message("is of ", device.name, ", which is not here");
    if (here->description != device.description) {
      return message("is of ", device.name, " as '", device.description, "', expected '",
                     here->description, "'");
    }
  }
  for (const DeviceInfo& info : Device::list()) {
    const bool is_known = std::ranges::any_of(
        figures.devices, [&](const DeviceFigures& device) { return device.name == info.name; });
    if (info.is_gpu && !is_known) return message("has no figures of ", info.name);
  }
  return {};
}

/// Figures of these devices, by their names.
std::vector<DeviceFigures> figures_of(const std::vector<std::shared_ptr<engine::Backend>>& gpus,
                                      const Figures& figures) {
  std::vector<DeviceFigures> found{figures.devices.front()};
  for (const auto& gpu : gpus) {
    const auto like = std::ranges::find_if(
        figures.devices, [&](const DeviceFigures& device) { return is_of(device, gpu->info()); });
    found.push_back(*like);
    found.back().name = gpu->info().name;
  }
  return found;
}

std::string absent_gpus() {
  std::string text;
  for (const AbsentBackend& backend : Device::absent()) {
    text += message(text.empty() ? " (" : "; ", backend.name, ": ", backend.reason);
  }
  return text.empty() ? text : text + ")";
}

}  // namespace

bool Work::is_empty() const {
  return std::ranges::all_of(amounts, [](const Amount& amount) { return amount.units == 0; });
}

Work& Work::operator+=(const Work& other) {
  upload_bytes += other.upload_bytes;
  download_bytes += other.download_bytes;
  for (std::size_t i = 0; i < work_kinds; ++i) {
    amounts[i].units += other.amounts[i].units;
    amounts[i].launches += other.amounts[i].launches;
  }
  needs_float64 = needs_float64 || other.needs_float64;
  return *this;
}

Work& Work::operator*=(double times) {
  upload_bytes *= times;
  download_bytes *= times;
  for (Amount& amount : amounts) {
    amount.units *= times;
    amount.launches *= times;
  }
  return *this;
}

double seconds_for(const Work& work, const DeviceFigures& figures, bool is_open) {
  double seconds = is_open ? 0 : figures.start;
  seconds += work.upload_bytes * figures.upload + work.download_bytes * figures.download;
  for (std::size_t i = 0; i < work_kinds; ++i) {
    seconds += work.amounts[i].units * figures.costs[i].unit +
               work.amounts[i].launches * figures.costs[i].launch;
  }
  return seconds;
}

Verdict quickest(const Work& work, const std::vector<DeviceFigures>& devices,
                 const IsOpen& is_open) {
  const auto seconds = [&](std::size_t i) {
    return seconds_for(work, devices[i], is_open(devices[i]));
  };
  const auto sooner = [&](std::size_t best, std::size_t i) {
    return seconds(i) < seconds(best) ? i : best;
  };
  const std::string on_cpu = in_words(seconds(0));
  if (devices.size() == 1) return {0, message("cpu: ", on_cpu, " here")};
  std::size_t gpu = 1;
  for (std::size_t i = 2; i < devices.size(); ++i) gpu = sooner(gpu, i);
  const std::string start =
      is_open(devices[gpu])
          ? ", which has been started"
          : message(", of which ", in_words(devices[gpu].start), " are its start");
  const std::string on_gpu = in_words(seconds(gpu));
  if (sooner(0, gpu) == 0) {
    return {0, message("cpu: ", on_cpu, " here, ", on_gpu, " on ", words_for(devices[gpu]), start)};
  }
  return {gpu, message(devices[gpu].name, ": ", on_gpu, " there", start, ", ", on_cpu, " on cpu")};
}

Choice Device::for_work(const Work& work) {
  const Device cpu(engine::host_backend());
  if (work.is_empty()) return {cpu, "cpu: nothing here gains by a GPU", {}};
  Known known = known_figures();
  // Where none was measured there may be one by now.
  std::vector<DeviceFigures> possible = known.figures.devices;
  if (possible.size() == 1) {
    const Figures typical = built_in_figures(threads());
    possible.insert(possible.end(), typical.devices.begin() + 1, typical.devices.end());
  }
  const Verdict first = quickest(work, possible, is_open);
  if (first.index == 0) return {cpu, first.why, known.warning};
  const bool is_measured = !known.figures.devices.front().description.empty();
  const std::string fault = is_measured ? mismatch(known.figures) : "";
  if (!fault.empty()) known = built_in(figures_file(), fault);
  const auto gpus = gpus_for(work);
  const Verdict last = quickest(work, figures_of(gpus, known.figures), is_open);
  if (gpus.empty()) {
    for (const AbsentBackend& backend : Device::absent()) {
      if (!backend.has_failed) continue;
      known.warning =
          message(backend.name, " did not start (", backend.reason, "): going on with cpu");
    }
    return {cpu, last.why + ", and no GPU is fit for it" + absent_gpus(), known.warning};
  }
  return {last.index == 0 ? cpu : Device(gpus[last.index - 1]), last.why, known.warning};
}

}  // namespace meander
