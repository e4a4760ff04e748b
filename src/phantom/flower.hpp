// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "phantom/scene.hpp"

namespace meander::phantoms {

/// Flower and disc; see PhantomKind.
std::unique_ptr<Scene> flower_scene(const PhantomOptions& options);

}  // namespace meander::phantoms
