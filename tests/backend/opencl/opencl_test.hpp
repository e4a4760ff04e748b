// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/backends.hpp"
#include "backend/opencl/device.hpp"
#include "core/host_memory.hpp"
#include "engine/registry.hpp"

namespace meander::opencl {

/// An environment variable for as long as this lives.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~Setting() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

/// A folder of this process's, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "meander-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path path;
};

/// Gives each test the first device, opened afresh, and a kernel cache that no other test has seen.
class OpenClTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const Findings findings = find_devices();
    if (findings.devices.empty()) GTEST_SKIP() << "no OpenCL device: " << findings.problems;
    facts = findings.devices[0];
    device = open(facts);
  }

  TemporaryFolder folder;
  Setting cache{"MEANDER_CACHE", folder.path.string()};
  Facts facts;
  std::shared_ptr<engine::Backend> device;
};

/// Gaps, counted in pixels, before the first pixel and after each row, slice and channel.
struct Gaps {
  std::int64_t start = 0, row = 0, slice = 0, channel = 0;
};

/// A view without memory.
inline engine::View placed(PixelType type, const Shape& shape, int channels, const Gaps& gaps) {
  const auto size = static_cast<std::int64_t>(size_of(type));
  engine::View view{.memory = nullptr,
                    .offset = gaps.start * size,
                    .type = type,
                    .shape = shape,
                    .channels = channels,
                    .pitch = {}};
  view.pitch.row = (shape.x + gaps.row) * size;
  view.pitch.slice = view.pitch.row * shape.y + gaps.slice * size;
  view.pitch.channel = view.pitch.slice * shape.z + gaps.channel * size;
  return view;
}

inline std::size_t block_bytes(const engine::View& view) {
  return static_cast<std::size_t>(view.offset + view.pitch.channel * view.channels);
}

constexpr int untouched = 0x5a;

/// The view over host memory filled with a pattern, so that stray writes show.
inline engine::View on_host(engine::View view) {
  const std::size_t bytes = block_bytes(view);
  auto owner = std::make_shared<std::vector<std::byte>>(bytes, std::byte{untouched});
  view.memory = std::shared_ptr<engine::Memory>(new engine::Memory{owner->data(), nullptr, bytes},
                                                [owner](engine::Memory* block) { delete block; });
  return view;
}

/// A whole block as one row of bytes.
inline engine::View block_of(const engine::View& view) {
  engine::View all =
      placed(PixelType::u8, {static_cast<std::int64_t>(block_bytes(view)), 1, 1}, 1, {});
  all.memory = view.memory;
  return all;
}

/// The view on the device, in a block filled with the same pattern.
inline engine::View on_device(engine::Backend& device, engine::View view) {
  view.memory = device.pool().take(block_bytes(view));
  device.write(on_host(block_of(view)), block_of(view));
  return view;
}

/// The same layout and bytes on the device.
inline engine::View uploaded(engine::Backend& device, engine::View host) {
  engine::View view = host;
  view.memory = device.pool().take(block_bytes(host));
  device.write(block_of(host), block_of(view));
  return view;
}

/// The same layout and bytes on the host, gaps included.
inline engine::View downloaded(engine::Backend& device, engine::View view) {
  const engine::View copy = on_host(block_of(view));
  device.read(block_of(view), copy);
  view.memory = copy.memory;
  return view;
}

/// The whole block of a device's view, gaps included.
inline std::vector<std::byte> bytes_on(engine::Backend& device, const engine::View& view) {
  const engine::View copy = downloaded(device, view);
  return {copy.memory->host, copy.memory->host + block_bytes(view)};
}

inline std::vector<std::byte> bytes_of(const engine::View& host) {
  return {host.memory->host, host.memory->host + block_bytes(host)};
}

/// Where two blocks first differ, or "equal".
inline std::string first_difference(const std::vector<std::byte>& found,
                                    const std::vector<std::byte>& expected) {
  if (found.size() != expected.size()) return "sizes differ";
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] != expected[i]) {
      return "byte " + std::to_string(i) + " is " + std::to_string(std::to_integer<int>(found[i])) +
             ", expected " + std::to_string(std::to_integer<int>(expected[i]));
    }
  }
  return "equal";
}

}  // namespace meander::opencl
