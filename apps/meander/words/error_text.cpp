// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "words/error_text.hpp"

namespace meander::app {
namespace {

template <class Kind>
void throw_if(const Error& error, const std::string& text) {
  if (dynamic_cast<const Kind*>(&error) != nullptr) throw Kind(text, error.about);
}

}  // namespace

void throw_again(const Error& error, const std::string& text) {
  throw_if<InvalidArgument>(error, text);
  throw_if<MalformedFile>(error, text);
  throw_if<FileSystemError>(error, text);
  throw_if<DeviceError>(error, text);
  throw_if<OutOfMemory>(error, text);
  throw_if<Unsupported>(error, text);
  throw_if<NotConverged>(error, text);
  throw_if<Cancelled>(error, text);
  throw LogicError(text, error.about);
}

}  // namespace meander::app
