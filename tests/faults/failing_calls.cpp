// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Loaded before a program (LD_PRELOAD): makes calls into the C library go wrong on demand.
//   FAULT_CALLS  which are counted: memory, spawn, open, read, write, sync, link, rename, chmod
//   FAULT_FIRST  the first of them that goes wrong, from 1
//   FAULT_COUNT  how many go wrong from there on; 1 unless given
//   FAULT_DOES   fail (with FAULT_ERRNO), kill (SIGKILL instead of the call), crumble (writes and
//                reads move a few bytes only, or nothing and say EINTR) or watch (nothing)
//   FAULT_LOG    a file that names each of these calls, one a line
// Counting begins with `main` and ends with it: what the loader does is not the program's fault.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

enum class Deed { fail, kill, crumble, watch };

struct Plan {
  const char* calls = "";
  long first = 0, count = 1;
  Deed deed = Deed::fail;
  int error = ENOMEM;
  const char* log = nullptr;
};

Plan plan;
std::atomic<bool> armed = false;
std::atomic<long> counted = 0;

long number_of(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atol(text);
}

Plan plan_of_environment() {
  Plan made;
  const auto text = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  made.calls = text("FAULT_CALLS");
  made.first = number_of("FAULT_FIRST", 0);
  made.count = number_of("FAULT_COUNT", 1);
  made.error = static_cast<int>(number_of("FAULT_ERRNO", ENOMEM));
  if (std::strcmp(text("FAULT_DOES"), "kill") == 0) made.deed = Deed::kill;
  if (std::strcmp(text("FAULT_DOES"), "crumble") == 0) made.deed = Deed::crumble;
  if (std::strcmp(text("FAULT_DOES"), "watch") == 0) made.deed = Deed::watch;
  made.log = std::getenv("FAULT_LOG");
  return made;
}

void note(const char* call) {
  if (plan.log == nullptr) return;
  const auto file = static_cast<int>(
      syscall(SYS_openat, AT_FDCWD, plan.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  syscall(SYS_write, file, call, std::strlen(call));
  syscall(SYS_write, file, "\n", 1);
  syscall(SYS_close, file);
}

/// Counts a call of this kind and says whether it is to go wrong.
bool goes_wrong(const char* kind, const char* call) {
  if (!armed || std::strstr(plan.calls, kind) == nullptr) return false;
  const long index = ++counted;
  if (index < plan.first || index - plan.first >= plan.count) return false;
  note(call);
  if (plan.deed == Deed::kill) syscall(SYS_kill, getpid(), SIGKILL);
  if (plan.deed == Deed::fail) errno = plan.error;
  return plan.deed != Deed::watch;
}

/// How much of a transfer a crumbling call does: all, a part of it, a byte, or -1 with EINTR.
ssize_t crumb(size_t bytes) {
  static std::atomic<unsigned> turn = 0;
  const unsigned now = turn++ % 4;
  if (now == 0) errno = EINTR;
  if (now == 0) return -1;
  if (bytes < 2 || now == 1) return static_cast<ssize_t>(bytes);
  return static_cast<ssize_t>(now == 2 ? bytes / 2 : 1);
}

/// Does a transfer of `bytes` by `call(part)`, or as much of it as is to be done.
template <class Call>
ssize_t transfer(const char* kind, const char* name, size_t bytes, const Call& call) {
  if (!goes_wrong(kind, name)) return call(bytes);
  if (plan.deed == Deed::fail) return -1;
  const ssize_t part = crumb(bytes);
  return part < 0 ? -1 : call(static_cast<size_t>(part));
}

size_t bytes_of(const iovec* pieces, int count) {
  size_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += pieces[i].iov_len;
  return bytes;
}

/// The first `bytes` of the pieces, of which the last may be cut.
template <class Call>
ssize_t with_front(const iovec* pieces, int count, size_t bytes, const Call& call) {
  iovec front[1024];
  int used = 0;
  for (; used < count && used < 1024 && bytes > 0; ++used) {
    front[used] = pieces[used];
    if (front[used].iov_len > bytes) front[used].iov_len = bytes;
    bytes -= front[used].iov_len;
  }
  return call(front, used);
}

template <class Function>
Function next(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int (*real_main)(int, char**, char**) = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  plan = plan_of_environment();
  armed = true;
  const int code = real_main(argc, argv, environment);
  armed = false;
  return code;
}

int open_at(int folder, const char* path, int flags, mode_t mode) {
  if (goes_wrong("open", "open") && plan.deed == Deed::fail) return -1;
  return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                      void (*fini)(), void (*loader_fini)(), void* stack_end) {
  real_main = main;
  const auto start = next(&__libc_start_main, "__libc_start_main");
  return start(counted_main, argc, argv, init, fini, loader_fini, stack_end);
}

void* malloc(size_t bytes) {
  return goes_wrong("memory", "malloc") ? nullptr : __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) {
  return goes_wrong("memory", "calloc") ? nullptr : __libc_calloc(count, bytes);
}
void* realloc(void* block, size_t bytes) {
  return goes_wrong("memory", "realloc") ? nullptr : __libc_realloc(block, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  return goes_wrong("memory", "aligned_alloc") ? nullptr : __libc_memalign(alignment, bytes);
}
int posix_memalign(void** block, size_t alignment, size_t bytes) {
  if (goes_wrong("memory", "posix_memalign")) return ENOMEM;
  *block = __libc_memalign(alignment, bytes);
  return *block == nullptr ? ENOMEM : 0;
}
void* mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
  if (goes_wrong("memory", "mmap")) return MAP_FAILED;
  return reinterpret_cast<void*>(
      syscall(SYS_mmap, address, bytes, protection, flags, file, offset));
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  if (goes_wrong("spawn", "pthread_create")) return EAGAIN;
  return next(&pthread_create, "pthread_create")(thread, attributes, start, argument);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return open_at(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return open_at(AT_FDCWD, path, flags, mode);
}

ssize_t write(int file, const void* from, size_t bytes) {
  return transfer("write", "write", bytes,
                  [=](size_t part) { return syscall(SYS_write, file, from, part); });
}
ssize_t pwrite(int file, const void* from, size_t bytes, off_t offset) {
  return transfer("write", "pwrite", bytes,
                  [=](size_t part) { return syscall(SYS_pwrite64, file, from, part, offset); });
}
ssize_t pwrite64(int file, const void* from, size_t bytes, off64_t offset) {
  return pwrite(file, from, bytes, offset);
}
ssize_t writev(int file, const iovec* pieces, int count) {
  return transfer("write", "writev", bytes_of(pieces, count), [=](size_t part) {
    return with_front(pieces, count, part, [=](const iovec* front, int used) {
      return syscall(SYS_writev, file, front, used);
    });
  });
}
ssize_t read(int file, void* into, size_t bytes) {
  return transfer("read", "read", bytes,
                  [=](size_t part) { return syscall(SYS_read, file, into, part); });
}
ssize_t pread(int file, void* into, size_t bytes, off_t offset) {
  return transfer("read", "pread", bytes,
                  [=](size_t part) { return syscall(SYS_pread64, file, into, part, offset); });
}
ssize_t pread64(int file, void* into, size_t bytes, off64_t offset) {
  return pread(file, into, bytes, offset);
}
ssize_t preadv(int file, const iovec* pieces, int count, off_t offset) {
  return transfer("read", "preadv", bytes_of(pieces, count), [=](size_t part) {
    return with_front(pieces, count, part, [=](const iovec* front, int used) {
      return syscall(SYS_preadv, file, front, used, offset, 0);
    });
  });
}
ssize_t preadv64(int file, const iovec* pieces, int count, off64_t offset) {
  return preadv(file, pieces, count, offset);
}

int fsync(int file) {
  if (goes_wrong("sync", "fsync") && plan.deed == Deed::fail) return -1;
  return static_cast<int>(syscall(SYS_fsync, file));
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  if (goes_wrong("link", "linkat") && plan.deed == Deed::fail) return -1;
  return static_cast<int>(syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}
int rename(const char* from, const char* to) noexcept {
  if (goes_wrong("rename", "rename") && plan.deed == Deed::fail) return -1;
  return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int fchmod(int file, mode_t mode) noexcept {
  if (goes_wrong("chmod", "fchmod") && plan.deed == Deed::fail) return -1;
  return static_cast<int>(syscall(SYS_fchmod, file, mode));
}

}  // extern "C"
#pragma GCC visibility pop
