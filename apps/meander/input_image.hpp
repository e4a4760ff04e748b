// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>

#include "meander/meander.hpp"

namespace meander::app {

/// The last of two or four channels of a PNG says how opaque a pixel is: it is left out.
Description without_alpha(const io::Reader& reader);
/// A host image that shares the pixels.
Image first_channels(const Image& image, int count);

/// Calls `work`; what it throws of pixels then begins with the name of their file.
template <class Work>
auto run_named(const std::string& file, Work&& work) {
  try {
    return work();
  } catch (const InvalidArgument& fault) {
    throw InvalidArgument(file + ": " + fault.what());
  } catch (const NotConverged& fault) {
    throw NotConverged(file + ": " + fault.what());
  }
}

}  // namespace meander::app
