// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "core/parallel_for.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <latch>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/message.hpp"
#include "meander/device.hpp"

namespace meander {
namespace {

thread_local bool inside_a_task = false;
thread_local std::stop_token stop_of_thread;

/// One parallel_for: threads draw indices until there are none left.
struct Job {
  std::int64_t count;
  const std::function<void(std::int64_t)>& task;
  const std::stop_token stop = stop_of_thread;
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex failure_mutex;
  std::exception_ptr failure;

  void work() {
    inside_a_task = true;
    for (std::int64_t i = next++; i < count && !failed; i = next++) {
      try {
        if (stop.stop_requested()) throw Cancelled("stopped on request");
        task(i);
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (!failed.exchange(true)) failure = std::current_exception();
      }
    }
    inside_a_task = false;
  }
};

/// Looks a while for `done` before a thread goes to sleep: steps of a small grid follow each other
/// within less time than it takes to wake one. Yields, so that others who need the processor get
/// it.
template <class Done>
void wait_awake(Done done) {
  constexpr std::chrono::microseconds patience{50};
  const auto begin = std::chrono::steady_clock::now();
  while (!done() && std::chrono::steady_clock::now() - begin < patience) std::this_thread::yield();
}

class Pool {
 public:
  /// Waits until each of its threads runs: one that is still being started may hold a lock of the
  /// system's or of a sanitizer's, which a forked child would then wait for without end.
  explicit Pool(int threads) : to_start_(threads - 1) {
    for (int i = 1; i < threads; ++i) {
      workers_.emplace_back([this](const std::stop_token& stop) {
        to_start_.count_down();
        serve(stop);
      });
    }
    to_start_.wait();
  }

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  void run(Job& job) {
    const std::lock_guard one_job_at_a_time(run_mutex_);
    std::int64_t wanted = 0;
    {
      const std::lock_guard lock(mutex_);
      job_ = &job;
      places_ = std::min<std::int64_t>(job.count - 1, static_cast<std::int64_t>(workers_.size()));
      wanted = places_;
      ++generation_;
    }
    // More than there are tasks for would only get into each other's way.
    for (std::int64_t i = 0; i < wanted; ++i) wake_.notify_one();
    job.work();
    {
      const std::lock_guard lock(mutex_);
      job_ = nullptr;  // a worker that wakes late finds nothing to do
    }
    wait_awake([this] { return busy_ == 0; });
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return busy_ == 0; });
  }

 private:
  void serve(const std::stop_token& stop) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    const auto is_wanted = [&] { return job_ != nullptr && generation_ != seen && places_ > 0; };
    while (wake_.wait(lock, stop, is_wanted)) {
      seen = generation_;
      --places_;
      Job& job = *job_;
      ++busy_;
      lock.unlock();
      job.work();
      lock.lock();
      if (--busy_ == 0) idle_.notify_all();
      lock.unlock();
      wait_awake([&] { return generation_ != seen || stop.stop_requested(); });
      lock.lock();
    }
  }

  std::latch to_start_;
  std::mutex run_mutex_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable idle_;
  Job* job_ = nullptr;
  std::int64_t places_ = 0;                    ///< Workers that the job still has tasks for.
  std::atomic<std::uint64_t> generation_ = 0;  // both change under the lock only
  std::atomic<int> busy_ = 0;
  std::vector<std::jthread> workers_;  // last: its threads use the members above
};

std::mutex settings_mutex;
int wanted_threads = 0;

int resolved_threads() {
  if (wanted_threads > 0) return wanted_threads;
  const unsigned processors = std::thread::hardware_concurrency();
  return processors == 0 ? 1 : static_cast<int>(processors);
}

/// The pool of this process. A forked child has none of its parent's threads and must not touch
/// their pool, not even to destroy it, so it makes its own.
std::shared_ptr<Pool> current_pool() {
  static std::shared_ptr<Pool>* pool = nullptr;
  static pid_t owner = 0;
  const std::lock_guard lock(settings_mutex);
  if (owner != getpid()) {
    pool = new std::shared_ptr<Pool>();
    owner = getpid();
  }
  if (!*pool || (*pool)->threads() != resolved_threads()) {
    *pool = std::make_shared<Pool>(resolved_threads());
  }
  return *pool;
}

}  // namespace

void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& task) {
  if (inside_a_task || count == 1) {
    if (stop_of_thread.stop_requested()) throw Cancelled("stopped on request");
    for (std::int64_t i = 0; i < count; ++i) task(i);
    return;
  }
  Job job{.count = count, .task = task};
  current_pool()->run(job);
  if (job.failure) std::rethrow_exception(job.failure);
}

StopScope::StopScope(std::stop_token stop)
    : before_(std::exchange(stop_of_thread, std::move(stop))) {}
StopScope::~StopScope() { stop_of_thread = std::move(before_); }

void set_threads(int count) {
  if (count < 0 || count > 1024) {
    throw InvalidArgument(
        message("threads is ", count, ", expected 0 (one per processor) to 1024"));
  }
  const std::lock_guard lock(settings_mutex);
  wanted_threads = count;
}

int threads() {
  const std::lock_guard lock(settings_mutex);
  return resolved_threads();
}

}  // namespace meander
