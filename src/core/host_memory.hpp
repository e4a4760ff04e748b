// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "engine/view.hpp"

namespace meander::engine {

/// The pool of ordinary memory, one for the whole process, so that one budget covers all host
/// images. Blocks are 64-byte aligned; large ones ask for huge pages. Its first budget is the
/// physical memory.
const std::shared_ptr<MemoryPool>& host_pool();

std::uint64_t physical_memory_bytes();

/// Copies pixels between two views in host memory of equal type, shape and channels.
void copy_pixels(const View& from, const View& to);

}  // namespace meander::engine
