// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <array>
#include <string>
#include <vector>

namespace meander::app {

/// This program once more, with other arguments, and what it prints. It is asked to stop when we
/// end, however that happens, and does not hear the terminal's Ctrl-C itself: one signal makes it
/// leave nothing behind, a second one ends it at once.
class ChildProcess {
 public:
  /// Throws std::system_error.
  explicit ChildProcess(const std::vector<std::string>& arguments);
  /// Asks it to stop, if it has not ended, and waits until it has.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void stop();  ///< Once, however often it is called.
  /// What poll() waits for; all are -1 when it has ended.
  std::array<pollfd, 2> waits_for() const;
  /// Takes in what it has printed. Returns whether it has ended.
  bool take_in();

  /// When it has ended: the exit code, or the negative number of the signal that ended it.
  int code() const { return code_; }
  const std::string& out() const { return texts_[0]; }
  const std::string& err() const { return texts_[1]; }

 private:
  void wait();

  pid_t id_ = -1;
  std::array<int, 2> pipes_{-1, -1};
  std::array<std::string, 2> texts_;
  bool is_stopping_ = false;
  int code_ = 0;
};

}  // namespace meander::app
