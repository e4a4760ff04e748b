// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "io/image/raw_source.hpp"
#include "io/nrrd/header.hpp"

namespace meander::io {

/// Which axes are x, y, z, channels and frames, and what that makes of spacing, placement and
/// steps. Channels may come first or after x; frames after x. Where the numbers begin is left open.
RawImage nrrd_image(const InputFile& file, const NrrdHeader& header);

}  // namespace meander::io
