// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "session/out_of_memory.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "session/session.hpp"

namespace meander::app {
namespace {

std::atomic<bool> has_run_out = false;
std::atomic<char*> reserve = nullptr;  // for what unwinding needs
constexpr std::size_t reserve_bytes = 256 << 10;

void fail_with_reserve() {
  has_run_out = true;
  delete[] reserve.exchange(nullptr);
  throw std::bad_alloc();
}

/// Outputs under way have no name yet, so that nothing is left where the file system can do that.
[[noreturn]] void terminate() {
  if (!has_run_out) std::abort();
  print_error(no_memory_left);
  _exit(memory);
}

}  // namespace

void expect_to_run_out_of_memory() {
  reserve = new char[reserve_bytes];
  std::set_new_handler(fail_with_reserve);
  std::set_terminate(terminate);
}

void print_error(const char* text) {
  char line[4096] = "meander: ";
  std::size_t end = std::strlen(line);
  for (; *text != 0 && end < sizeof line - 1; ++text) {
    line[end++] = static_cast<unsigned char>(*text) < ' ' ? ' ' : *text;
  }
  line[end++] = '\n';
  std::fwrite(line, 1, end, stderr);
}

}  // namespace meander::app
