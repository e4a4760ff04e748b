// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// meander_read_speed FILE.tif [RUNS]: reading an image by Meander against read() of the same bytes
// into fresh memory, in turns, each run in a process of its own. Prints medians, their ratio, and
// Meander's peak memory over the image's size. Makes FILE.tif (12000 x 12000 u16) when there is
// none.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <vector>

#include "meander/io.hpp"

namespace {

using meander::io::Reader;

struct Run {
  double seconds = 0;
  double peak_bytes = 0;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// In a child, so that neither memory nor its peak is inherited from an earlier run.
Run run_alone(const std::function<void()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) std::abort();
  const pid_t child = ::fork();
  if (child == 0) {
    const auto start = std::chrono::steady_clock::now();
    work();
    Run run{.seconds = seconds_since(start)};
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    run.peak_bytes = static_cast<double>(usage.ru_maxrss) * 1024;
    ::_exit(::write(ends[1], &run, sizeof run) == sizeof run ? 0 : 1);
  }
  Run run;
  const bool got = ::read(ends[0], &run, sizeof run) == sizeof run;
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(ends[0]);
  ::close(ends[1]);
  if (!got || status != 0) std::abort();
  return run;
}

void read_plainly(const char* path, std::size_t bytes) {
  const int file = ::open(path, O_RDONLY);
  char* memory = static_cast<char*>(std::malloc(bytes));
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t got = ::read(file, memory + done, bytes - done);
    if (got <= 0) std::abort();
    done += static_cast<std::size_t>(got);
  }
  ::close(file);
}

void make(const char* path) {
  meander::Image image =
      meander::Image::allocate({.shape = {12000, 12000, 1}, .type = meander::PixelType::u16});
  for (std::int64_t y = 0; y < image.shape().y; ++y) {
    auto* row = image.mutable_row<std::uint16_t>(y);
    for (std::int64_t x = 0; x < image.shape().x; ++x) row[x] = static_cast<std::uint16_t>(x * y);
  }
  meander::io::write(path, image);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const char* path = argv[1];
  const int runs = argc > 2 ? std::atoi(argv[2]) : 9;
  if (!std::filesystem::exists(path)) run_alone([&] { make(path); });
  const auto bytes = static_cast<std::size_t>(Reader(path).description().bytes());
  std::vector<double> plain, ours, peaks, ratios;
  for (int i = 0; i < runs + 1; ++i) {
    const double a = run_alone([&] { read_plainly(path, bytes); }).seconds;
    const Run b = run_alone([&] { Reader(path).read(); });
    if (i == 0) continue;  // brings the file into the page cache
    plain.push_back(a);
    ours.push_back(b.seconds);
    ratios.push_back(b.seconds / a);
    peaks.push_back(b.peak_bytes / static_cast<double>(bytes));
  }
  std::printf("%zu bytes, %d runs: read() %.4f s, Meander %.4f s, ratio %.3f, peak memory %.3f\n",
              bytes, runs, median(plain), median(ours), median(ratios), median(peaks));
  return 0;
}
