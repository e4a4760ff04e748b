// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/control.hpp"
#include "meander/work.hpp"

namespace meander::app {

/// Of `cpu` with the present number of threads and of every GPU, in some seconds. The start of a
/// driver is that of a program of its own.
Figures measured_figures(const Control& control);

}  // namespace meander::app
