// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include "backend/opencl/device.hpp"

namespace meander::opencl {

struct Kernel {
  /// A multiple of what GPUs run in step, and enough for compilers to vectorise over on a CPU.
  static constexpr std::size_t largest_group = 64;

  cl_kernel handle = nullptr;
  std::size_t group = 1;    ///< Work items per group along the first axis that suit it.
  std::size_t largest = 1;  ///< And how many there may be.
  std::size_t rows = 1;     ///< Work items of a group along the second axis.
};

/// The kernels of one device: compiled when first needed, then kept here and on disk. Thread-safe;
/// the arguments of a kernel belong to whoever holds the device's queue.
class Programs {
 public:
  explicit Programs(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  ~Programs();
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;

  /// Which program of a text: numbers that its options follow from.
  using Variant = std::array<int, 3>;

  /// `operation` names who needs it; `options()` is asked for when the kernel is not known yet by
  /// the addresses of text and entry and by the variant. Throws DeviceError with the first line of
  /// the compiler's complaint.
  template <class Options>
  Kernel kernel(const char* operation, const char* text, Variant variant, const char* entry,
                Options&& options) {
    const std::lock_guard lock(mutex_);
    Kernel& known = known_[{text, entry, variant}];
    if (known.handle == nullptr) known = make(operation, text, options(), entry);
    return known;
  }

 private:
  Kernel make(const std::string& operation, const std::string& text, const std::string& options,
              const char* entry);
  cl_program program(const std::string& operation, const std::string& text,
                     const std::string& options);
  cl_program program_from_binary(const std::string& binary, const std::string& options) const;
  cl_program program_from_text(const std::string& operation, const std::string& text,
                               const std::string& options) const;

  const std::shared_ptr<Context> context_;
  std::mutex mutex_;
  std::map<std::string, cl_program> programs_;  ///< By options and text.
  std::map<std::tuple<const char*, const char*, Variant>, Kernel> known_;
};

}  // namespace meander::opencl
