// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>

#include "input/input_image.hpp"
#include "meander/flow.hpp"
#include "session/session.hpp"

namespace meander {

enum class FlowOutput : std::uint8_t { field, magnitude, unit };
template <>
struct ChoiceNames<FlowOutput> {
  static constexpr std::pair<FlowOutput, std::string_view> values[] = {
      {FlowOutput::field, "field"},
      {FlowOutput::magnitude, "magnitude"},
      {FlowOutput::unit, "unit"}};
};

}  // namespace meander

namespace meander::app {

struct FlowVerbOptions {
  FlowOptions flow;
  FlowOutput output = FlowOutput::field;
  bool field = false;
  std::string mask;
  std::string start;
  std::string picture;
  bool keep = false;
  std::optional<PixelType> type;
  std::optional<std::int64_t> repeat;

  template <class Visitor>
  void describe(Visitor& v) {
    flow.describe(v);
    v(output, {.name = "output",
               .help = "the field, the lengths of its vectors, or vectors of "
                       "length 1"});
    v(field, {.name = "field",
              .help = "IN is a vector field, components x, y (and z) as channels (the last axis of "
                      "an .npy): it is taken as it is"});
    v(mask,
      {.name = "mask", .help = "an image of the same shape: the field lives where it is not 0"});
    v(start, {.name = "start",
              .help = "a field of the same shape to begin with; one near the solution saves "
                      "cycles"});
    v(picture, {.name = "picture",
                .help = "a PNG that shows the flow: image, lengths, directions and arrows"});
    v(keep, {.name = "keep",
             .help = "write a field that has not met the tolerance too; the exit "
                     "code stays 8"});
    v(type, {.name = "type", .help = "pixel type to write; values are rounded and saturated"});
    v(repeat, {.name = "repeat",
               .min = 1,
               .max = 1000,
               .help = "compute so many times after one warm-up and report each time"});
  }
};

/// What helps where an image has several channels.
inline std::string flow_advice(int channels) {
  return channel_advice(channels) + ", --field takes them as the components of a vector field";
}

/// The files of one run, opened, and found to fit each other by their headers.
struct FlowFiles {
  /// Throws InvalidArgument, with the file, for channels or shapes that do not fit.
  FlowFiles(Session& session, const FlowVerbOptions& given);

  io::Reader& input;
  Description image;  ///< What is taken of the input.
  std::optional<io::Reader> mask, start;
};

/// What is written of such a field. Throws Unsupported for a suffix that cannot hold it.
Description flow_output(const FlowVerbOptions& given, const std::string& path,
                        const Description& field);
/// The field that comes of such an input.
Description flow_field(const FlowVerbOptions& given, const Description& input);

/// Plans the work. Throws OutOfMemory, with the need and the cheaper way that would fit, for what
/// the budget cannot hold.
void check_flow_memory(Session& session, const FlowVerbOptions& given, const FlowFiles& files,
                       const Description& output);

/// Options and figures, into the report, the log and what is said.
void report_flow_plan(Session& session, const FlowVerbOptions& given, const Description& input);
void log_flow_cycle(const Session& session, const FlowCycle& cycle);
void report_flow_figures(Session& session, const FlowVerbOptions& given,
                         const FlowFigures& figures);
/// One line that says how far the solver came.
std::string shortfall(const FlowVerbOptions& given, const FlowFigures& figures);

}  // namespace meander::app
