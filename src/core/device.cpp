// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/device.hpp"

#include <algorithm>

#include "core/image_state.hpp"
#include "core/message.hpp"
#include "core/parallel_for.hpp"
#include "engine/registry.hpp"

namespace meander {
namespace {

std::string known_names() {
  std::string names = "auto";
  for (const auto& device : engine::registry().devices) names += ", " + device->info().name;
  return names;
}

/// `cuda` of `cuda:0`.
std::string_view backend_part(std::string_view name) { return name.substr(0, name.find(':')); }

[[noreturn]] void refuse(std::string_view name) {
  for (const AbsentBackend& backend : engine::registry().absent) {
    if (backend.name == backend_part(name)) {
      const std::string text = message("device ", name, " is not available: ", backend.reason);
      if (backend.has_failed) throw DeviceError(text, {.device = std::string(name)});
      throw Unsupported(text, {.device = std::string(name)});
    }
  }
  for (const auto& device : engine::registry().devices) {
    if (backend_part(device->info().name) == backend_part(name)) {
      throw Unsupported(
          message("device ", name, " is not on this machine, which has ", known_names()),
          {.device = std::string(name)});
    }
  }
  throw InvalidArgument(message("device '", name, "' is unknown, expected one of ", known_names()),
                        {.device = std::string(name)});
}

}  // namespace

std::vector<DeviceInfo> Device::list() {
  std::vector<DeviceInfo> infos;
  for (const auto& device : engine::registry().devices) infos.push_back(device->info());
  return infos;
}

std::vector<AbsentBackend> Device::absent() { return engine::registry().absent; }

Device Device::open(std::string_view name) {
  // Without looking for others: a driver that hangs or crashes must not harm who asks for none of
  // it.
  if (name == "cpu") return Device(engine::host_backend());
  const auto& devices = engine::registry().devices;
  if (name == "auto") {
    for (const auto& device : devices) {
      if (device->info().is_gpu) return Device(device);
    }
    return Device(engine::host_backend());
  }
  for (const auto& device : devices) {
    if (device->info().name == name) return Device(device);
  }
  // `opencl` alone means the first of them.
  for (const auto& device : devices) {
    if (backend_part(device->info().name) == name) return Device(device);
  }
  refuse(name);
}

const DeviceInfo& Device::info() const { return backend_->info(); }

Image Device::allocate(const Description& description) const {
  const auto bytes = static_cast<std::size_t>(padded_bytes(description));
  detail::ImageState state{.description = description, .backend = backend_, .view = {}};
  state.view = {.memory = backend_->pool().take(bytes),
                .offset = 0,
                .type = description.type,
                .shape = description.shape,
                .channels = description.channels,
                .pitch = padded_pitch(description)};
  return Image(std::make_shared<const detail::ImageState>(std::move(state)));
}

Image Device::upload(const Image& host, const Control& control) const {
  const detail::ImageState& source = host.state();
  control.step(0);
  if (source.backend == backend_) return host;
  if (!source.backend->uses_host_memory()) {
    throw InvalidArgument(message("upload takes an image in host memory, found one on ",
                                  source.backend->info().name, "; download it first"));
  }
  source.backend->finish();
  if (backend_->uses_host_memory()) {
    detail::ImageState shared = source;
    shared.backend = backend_;
    return Image(std::make_shared<const detail::ImageState>(std::move(shared)));
  }
  Image copy = allocate(source.description);
  const StopScope scope(control.stop);
  backend_->write(source.view, copy.state().view);
  control.step(1);
  return copy;
}

void Device::synchronize() const { backend_->finish(); }
DeviceCounters Device::counters() const { return backend_->counters(); }
MemoryUse Device::memory() const { return backend_->pool().use(); }
std::uint64_t Device::available_memory() const { return backend_->pool().available(); }
void Device::reset_memory_peak() const { backend_->pool().reset_peak(); }
void Device::set_memory_budget(std::uint64_t bytes) const { backend_->pool().set_budget(bytes); }

}  // namespace meander
