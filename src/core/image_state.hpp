// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "engine/backend.hpp"
#include "meander/image.hpp"

namespace meander::detail {

struct ImageState {
  Description description;
  std::shared_ptr<engine::Backend> backend;
  engine::View view;
};

}  // namespace meander::detail
