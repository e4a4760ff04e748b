// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "io/image/source.hpp"

namespace meander::io {

/// NumPy's array file: a header that is a Python dictionary, then the numbers. The format has no
/// place for a spacing, so that is lost. Channels are the last axis. A film always has five axes,
/// (t, z, y, x, c), and nothing else has: so an array of four is never taken for one.
std::unique_ptr<Reader::Source> open_npy(InputFile file, const ReadOptions& options);
std::unique_ptr<Writer::Sink> create_npy(AtomicFile file, const Description& description,
                                         const WriteOptions& options);

}  // namespace meander::io
