// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "system/signals.hpp"

#include <unistd.h>

#include <csignal>
#include <thread>

namespace meander::app {
namespace {

/// Whoever started us may have asked for a signal to be ignored: nohup does, and shells do for jobs
/// in the background.
bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t stopping_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) sigaddset(&signals, signal);
  }
  return signals;
}

}  // namespace

std::stop_token stop_on_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  // Requesting a stop is not allowed in a signal handler, so a thread waits for the signals
  // instead; all others inherit the mask and leave them to it. It outlives main, and so does what
  // it asks to stop: a signal may come while the program ends.
  const sigset_t signals = stopping_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const std::stop_source source;
  std::thread([signals, source] {
    int signal = 0;
    sigwait(&signals, &signal);
    source.request_stop();
    sigwait(&signals, &signal);
    _exit(130);
  }).detach();
  return source.get_token();
}

}  // namespace meander::app
