// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/phantom.hpp"

namespace meander::phantoms {

/// The levels that the options ask for, by the table at PhantomOptions. Throws InvalidArgument when
/// options contradict each other or ask for a level that noise or pixel type cannot have.
PhantomLevels levels_of(const PhantomOptions& options);

}  // namespace meander::phantoms
