// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "meander/verify.hpp"
#include "session/session.hpp"

namespace meander::app {
namespace {

/// The device asked for, or all of them.
std::vector<std::string> devices_to_verify(const std::string& asked) {
  if (asked != "auto") return {Device::open(asked).name()};
  std::vector<std::string> names;
  for (const DeviceInfo& info : Device::list()) {
    if (info.name != "reference") names.push_back(info.name);  // the judge is not judged
  }
  return names;
}

Json json_of(const std::string& device, const Deviation& found) {
  return {{"device", device},
          {"engine", found.engine},
          {"check", found.check},
          {"cases", found.cases},
          {"deviation", number(found.deviation)},
          {"tolerance", found.tolerance},
          {"passed", found.passed()},
          {"failure", found.failure}};
}

void say(const Session& session, const std::string& device, const Deviation& found) {
  session.say(fmt::format("{:<10} {:<9} {:<42} {:>5} cases  {:<10.3g} of {:<10.3g} {}", device,
                          found.engine, found.check, found.cases, found.deviation, found.tolerance,
                          found.passed() ? "ok" : "FAILED " + found.failure));
}

int run(Session& session) {
  const auto names = devices_to_verify(session.invocation().device.device);
  Json& result = session.report().result();
  result["checks"] = Json::array();
  if (session.common().dry_run) {
    session.say(fmt::format("would verify {}", fmt::join(names, ", ")));
    result["devices"] = names;
    return done;
  }
  int failures = 0;
  session.say(fmt::format("{:<10} {:<9} {:<42} {:>5}        {:<10} of {:<10}", "device", "engine",
                          "check", "cases", "deviation", "tolerance"));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto count = static_cast<double>(names.size());
    const Control control =
        session.control(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
    const Device device = Device::open(names[i]);
    const auto found = session.report().timed("compute", [&] { return verify(device, control); });
    for (const Deviation& deviation : found) {
      failures += !deviation.passed();
      result["checks"].push_back(json_of(names[i], deviation));
      say(session, names[i], deviation);
    }
  }
  result["failures"] = failures;
  session.say(failures == 0 ? fmt::format("all checks passed on {}", fmt::join(names, ", "))
                            : fmt::format("{} checks FAILED", failures));
  return failures == 0 ? done : device_failed;
}

}  // namespace

Verb verify_verb() {
  const auto shared = std::make_shared<Invocation>();
  return {
      .name = "verify",
      .summary = "Checks that every device computes what the reference computes",
      .details =
          "The conformance suite inside the program: every engine on every device found (or the "
          "one named with "
          "--device), with sizes and values chosen to hurt. Exit code 6 when a device deviates.",
      .example = "meander verify --device opencl:0",
      .arguments = {},
      .options = entries_of(shared->device),
      .run = run,
      .invocation = shared};
}

}  // namespace meander::app
