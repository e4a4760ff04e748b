// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "system/child_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

namespace meander::app {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Both ends are closed in programs that are started, but for those that become their stdout or
/// stderr.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) fail("a pipe cannot be made");
  }
  ~Pipe() {
    for (const int end : ends_) {
      if (end >= 0) ::close(end);
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int write_end() const { return ends_[1]; }
  int release_read_end() {
    ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
    return std::exchange(ends_[0], -1);
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// Between fork and exec, where other threads may hold any lock: system calls only.
[[noreturn]] void become_child(pid_t parent, char** arguments, int out, int err) {
  ::setpgid(0, 0);
  std::signal(SIGTERM, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(127);  // it had ended before we could ask for the signal
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0 && ::dup2(out, STDOUT_FILENO) >= 0 &&
      ::dup2(err, STDERR_FILENO) >= 0) {
    ::execv("/proc/self/exe", arguments);
  }
  ::_exit(127);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& arguments) {
  std::vector<std::string> texts{"meander"};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  std::signal(SIGCHLD, SIG_DFL);  // whoever started us may have let ends of processes pass unseen
  Pipe out, err;
  const pid_t parent = ::getpid();
  id_ = ::fork();
  if (id_ < 0) fail("another process cannot be started");
  if (id_ == 0) become_child(parent, pointers.data(), out.write_end(), err.write_end());
  pipes_ = {out.release_read_end(), err.release_read_end()};
}

ChildProcess::~ChildProcess() {
  stop();
  if (id_ >= 0) wait();
  for (const int pipe : pipes_) {
    if (pipe >= 0) ::close(pipe);
  }
}

void ChildProcess::stop() {
  if (id_ >= 0 && !std::exchange(is_stopping_, true)) ::kill(id_, SIGTERM);
}

std::array<pollfd, 2> ChildProcess::waits_for() const {
  return {pollfd{.fd = pipes_[0], .events = POLLIN, .revents = 0},
          pollfd{.fd = pipes_[1], .events = POLLIN, .revents = 0}};
}

bool ChildProcess::take_in() {
  for (std::size_t i = 0; i < pipes_.size(); ++i) {
    while (pipes_[i] >= 0) {
      char part[4096];
      const ssize_t bytes = ::read(pipes_[i], part, sizeof part);
      if (bytes < 0 && errno == EINTR) continue;
      if (bytes < 0 && errno == EAGAIN) break;
      if (bytes > 0) {
        texts_[i].append(part, static_cast<std::size_t>(bytes));
      } else {
        ::close(std::exchange(pipes_[i], -1));
      }
    }
  }
  if (pipes_[0] >= 0 || pipes_[1] >= 0) return false;
  if (id_ >= 0) wait();
  return true;
}

void ChildProcess::wait() {
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  code_ = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  id_ = -1;
}

}  // namespace meander::app
