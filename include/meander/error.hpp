// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

/// What can go wrong, sorted by who has to act. Every exception the library throws on purpose
/// derives from `Error`; its `what()` is one sentence without a newline that names what was found
/// and what was expected. The library never prints and never aborts.
namespace meander {

/// What an error is about, for programs that act on it; empty or 0 where that is not known.
struct ErrorSubject {
  std::string path;      ///< Of the file, as the caller gave it.
  std::string option;    ///< Its name as `describe` has it.
  std::string device;    ///< Its name as Device::open takes it.
  int system_error = 0;  ///< errno of the call that the operating system refused.
};

/// All that the library throws on purpose.
class Error : public std::runtime_error {
 public:
  /// `text` becomes what().
  explicit Error(const std::string& text, ErrorSubject subject = {})
      : std::runtime_error(text), about(std::move(subject)) {}

  ErrorSubject about;  ///< What the text says, for programs.
};

/// The caller is wrong: a value out of range, shapes that do not match, images of two devices
/// mixed.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// The world is wrong: a file. Thrown as one of the two kinds below.
class IoError : public Error {
 public:
  using Error::Error;
};

/// The file's content is not what its format promises (truncated, lying, damaged).
class MalformedFile : public IoError {
 public:
  using IoError::IoError;
};

/// The operating system refused: no such file, no permission, disk full.
class FileSystemError : public IoError {
 public:
  using IoError::IoError;
};

/// The world is wrong: a device or its driver failed. Names the operation that was in flight.
class DeviceError : public Error {
 public:
  using Error::Error;
};

/// The memory budget (or the machine) cannot hold what was asked; says how much was needed.
class OutOfMemory : public Error {
 public:
  using Error::Error;
};

/// A valid request that this build, format or device cannot fulfil.
class Unsupported : public Error {
 public:
  using Error::Error;
};

/// An iteration ended without reaching its tolerance, or ran away.
class NotConverged : public Error {
 public:
  using Error::Error;
};

/// The caller's stop token fired; nothing is left behind.
class Cancelled : public Error {
 public:
  using Error::Error;
};

/// The library is wrong: a bug in Meander. Please report it.
class LogicError : public Error {
 public:
  using Error::Error;
};

}  // namespace meander
