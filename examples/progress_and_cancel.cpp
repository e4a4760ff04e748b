// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Work on a thread of its own, which the main thread watches and stops. Nothing is left behind.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <future>
#include <stop_token>

#include "meander/meander.hpp"

int main(int argc, char** argv) {
  using namespace meander;
  using namespace std::chrono_literals;
  const auto folder = std::filesystem::path(argc > 1 ? argv[1] : ".") / "cancelled";
  std::filesystem::create_directories(folder);
  std::stop_source stop;
  std::atomic<int> percent = 0;
  const auto work = [&] {
    const auto show = [&](double fraction) { percent = static_cast<int>(100 * fraction); };
    const Image image = phantom({.size = {64, 64}, .type = PixelType::f32});
    io::Writer stripes(folder / "stripes.nrrd", image.description());
    ReactOptions options = react_preset("labyrinth");
    options.steps = 1'000'000;  // for minutes
    stripes.append(react(image, options, {}, {.stop = stop.get_token(), .progress = show}).layers);
    stripes.finish();
  };
  std::future<void> worker = std::async(std::launch::async, work);
  while (percent == 0 && worker.wait_for(1ms) == std::future_status::timeout) continue;
  stop.request_stop();  // as the button of a window would, after a while of drawing its bar
  try {
    worker.get();
  } catch (const Cancelled& stopped) {
    std::printf("%s, %s behind\n", stopped.what(),
                std::filesystem::is_empty(folder) ? "nothing left" : "a file left");
  }
}
