// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "phantom/scene.hpp"

namespace meander::phantoms {

/// Blobs that move, in frames instead of slices. Throws InvalidArgument when there are no frames,
/// no room for as many blobs as are asked for, or more of them than labels.
std::unique_ptr<Scene> film_scene(const PhantomOptions& options);

}  // namespace meander::phantoms
