// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "session.hpp"

namespace meander::app {
namespace {

struct DevicesOptions {
  bool names = false;

  template <class Visitor>
  void describe(Visitor& v) {
    v(names, {.name = "names", .help = "print only the names, for scripts and completion"});
  }
};

DevicesOptions options;

void add_to_report(Json& result) {
  result["devices"] = Json::array();
  for (const DeviceInfo& info : Device::list()) {
    result["devices"].push_back({{"name", info.name},
                                 {"description", info.description},
                                 {"memory_bytes", info.memory_bytes},
                                 {"gpu", info.is_gpu},
                                 {"float64", info.has_float64}});
  }
  result["absent"] = Json::array();
  for (const AbsentBackend& backend : Device::absent()) {
    result["absent"].push_back({{"name", backend.name}, {"reason", backend.reason}});
  }
  result["auto"] = Device::open("auto").name();
}

int run(Session& session) {
  if (session.common().dry_run) {
    session.say("would look for devices and list them");
    return done;
  }
  add_to_report(session.report().result());
  for (const DeviceInfo& info : Device::list()) {
    if (options.names) {
      session.say(info.name);
    } else {
      session.say(fmt::format("{:<10} {:6.1f} GiB  {}{}", info.name,
                              static_cast<double>(info.memory_bytes) / 0x1p30, info.description,
                              info.has_float64 ? "" : ", no float64"));
    }
  }
  if (options.names) return done;
  for (const AbsentBackend& backend : Device::absent()) {
    session.say(fmt::format("{:<10} absent: {}", backend.name, backend.reason));
  }
  session.say(fmt::format("auto is {}", Device::open("auto").name()));
  return done;
}

}  // namespace

Verb devices_verb() {
  return {.name = "devices",
          .summary = "Lists the devices of this machine and why a backend is absent",
          .details = "The names are what --device takes.",
          .example = "meander devices",
          .arguments = {},
          .options = entries_of(options),
          .run = run};
}

}  // namespace meander::app
