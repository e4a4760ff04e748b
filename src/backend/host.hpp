// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "engine/backend.hpp"

namespace meander::engine {

/// What distinguishes the backends that run on the host: their engines, as functions that run now.
struct HostEngines {
  void (*convert)(const View& in, const View& out, const Affine& map);
  Sums (*reduce)(const View& in, double shift);
};

/// A backend over ordinary memory and a HostQueue.
std::shared_ptr<Backend> make_host_backend(DeviceInfo info, const HostEngines& engines);

}  // namespace meander::engine
