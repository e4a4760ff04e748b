// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "phantom/scene.hpp"

namespace meander::phantoms {

/// Blobs and rings. Throws InvalidArgument when there is no room for as many as are asked for.
std::unique_ptr<Scene> blob_scene(const PhantomOptions& options);

}  // namespace meander::phantoms
