// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "system/signals.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stop_token>
#include <thread>

namespace meander::app {
namespace {

using std::chrono::milliseconds;

std::stop_token asked_to_stop;

TEST(Signals, OneAsksToStopAndTheNextOneEnds) {
  const auto ask = [] {
    asked_to_stop = stop_on_signals();
    kill(getpid(), SIGTERM);
    while (!asked_to_stop.stop_requested()) std::this_thread::sleep_for(milliseconds(1));
  };
  EXPECT_EXIT((ask(), std::exit(3)), testing::ExitedWithCode(3), "");
  EXPECT_EXIT((ask(), kill(getpid(), SIGTERM), pause()), testing::ExitedWithCode(130), "");
}

// What the waiting thread uses must not be gone by then, which AddressSanitizer sees.
TEST(Signals, OneThatComesWhileTheProgramEndsHarmsNothing) {
  const auto end = [] {
    std::atexit([] {
      kill(getpid(), SIGTERM);
      std::this_thread::sleep_for(milliseconds(200));
    });
    stop_on_signals();
    std::exit(3);
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(3), "");
}

}  // namespace
}  // namespace meander::app
