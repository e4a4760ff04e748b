// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "flow.hpp"
#include "input_image.hpp"

namespace meander::app {
namespace {

/// The sheet of a picture and its tiles, whose sizes do not grow with the image.
constexpr std::int64_t sheet_bytes = std::int64_t{8} << 20;

void check_channels(const std::string& path, const FlowVerbOptions& given,
                    const Description& found) {
  const int expected = given.field ? found.shape.rank() : 1;
  if (found.channels == expected) return;
  throw InvalidArgument(
      given.field
          ? fmt::format("{}: a field of {} with {} channels, expected {}, one for each axis", path,
                        to_string(found.shape), found.channels, expected)
          : fmt::format("{}: an image with {} channels, expected 1; --field takes channels as the "
                        "components of a vector field",
                        path, found.channels));
}

void check_beside(const std::string& path, const char* what, const Description& found,
                  const Shape& shape, int channels) {
  if (found.shape == shape && found.channels == channels) return;
  throw InvalidArgument(fmt::format("{}: {} of {} with {} channels, expected {} with {}", path,
                                    what, to_string(found.shape), found.channels, to_string(shape),
                                    channels));
}

bool is_double(const FlowVerbOptions& given, const Description& input) {
  return given.precision == Precision::float64 || input.type == PixelType::f64;
}

/// Ways to the field that hold less, the better first. The generalised flow has none, and 16-bit
/// storage is none for double precision.
std::vector<FlowOptions> cheaper_ways(const FlowVerbOptions& given, const Description& input) {
  if (given.generalised) return {};
  std::vector<FlowOptions> ways;
  FlowOptions way = given;
  if (given.solver == FlowSolver::multigrid) {
    way.solver = FlowSolver::explicit_steps;
    ways.push_back(way);
  }
  if (given.storage == FlowStorage::f32 && !is_double(given, input)) {
    way.storage = FlowStorage::f16;
    ways.push_back(way);
  }
  return ways;
}

std::string words(const FlowOptions& way) {
  return fmt::format("--solver {} --storage {}", OptionText<FlowSolver>::format(way.solver),
                     OptionText<FlowStorage>::format(way.storage));
}

/// Copies of the slice that is shown, both as vectors and in colours.
std::int64_t picture_bytes(const Description& input) {
  Description slice = input;
  slice.shape.z = 1;
  Description vectors = slice;
  vectors.channels = 2;
  vectors.type = PixelType::f64;
  Description colours = slice;
  colours.channels = 3;
  colours.type = PixelType::u8;
  return padded_bytes(slice) + 4 * padded_bytes(vectors) + 6 * padded_bytes(colours) + sheet_bytes;
}

/// The flow, or what is made of it afterwards if that is more.
std::int64_t bytes_needed(Session& session, const FlowVerbOptions& given, const FlowOptions& way,
                          const FlowFiles& files, const Description& output) {
  const Description field = flow_field(given, files.image);
  const std::int64_t derived = given.output == FlowOutput::field ? 0 : padded_bytes(field);
  const std::int64_t written = output.type == field.type ? 0 : padded_bytes(output);
  const std::int64_t picture = given.picture.empty() ? 0 : picture_bytes(files.image);
  return std::max({estimate_bytes(files.image, way, session.device(), files.mask.has_value(),
                                  files.start.has_value()),
                   padded_bytes(field) + derived + written, picture});
}

std::string advice(Session& session, const FlowVerbOptions& given, const FlowFiles& files,
                   const Description& output, std::uint64_t budget) {
  for (const FlowOptions& way : cheaper_ways(given, files.image)) {
    const std::int64_t bytes = bytes_needed(session, given, way, files, output);
    if (static_cast<std::uint64_t>(bytes) <= budget) {
      return fmt::format("{} needs {}", words(way), bytes);
    }
  }
  return "no solver or storage needs less than the budget";
}

}  // namespace

FlowFiles::FlowFiles(Session& session, const FlowVerbOptions& given)
    : input(session.argument(0),
            {.channels_last = given.field || session.read_options().channels_last}),
      image(given.field ? input.description() : without_alpha(input)) {
  session.report().add_input(session.argument(0), image);
  check_channels(session.argument(0), given, image);
  if (!given.mask.empty()) {
    mask.emplace(given.mask);
    check_beside(given.mask, "a mask", without_alpha(*mask), image.shape, 1);
    session.report().add_input(given.mask, mask->description());
  }
  if (!given.start.empty()) {
    start.emplace(given.start, io::ReadOptions{.channels_last = true});
    check_beside(given.start, "a field", start->description(), image.shape, image.shape.rank());
    session.report().add_input(given.start, start->description());
  }
}

Description flow_field(const FlowVerbOptions& given, const Description& input) {
  Description field = input;
  field.channels = input.shape.rank();
  field.type = is_double(given, input) ? PixelType::f64 : PixelType::f32;
  return field;
}

Description flow_output(const FlowVerbOptions& given, const std::string& path,
                        const Description& field) {
  Description output = field;
  if (given.output == FlowOutput::magnitude) output.channels = 1;
  if (!io::can_hold(path, field.type) && io::can_hold(path, PixelType::f32)) {
    output.type = PixelType::f32;
  }
  output.type = given.type.value_or(output.type);
  const bool is_picture = io::can_hold(path, PixelType::u8) && !io::can_hold(path, PixelType::f32);
  if (is_picture && (!given.type || output.channels > 1)) {
    throw Unsupported(fmt::format(
        "{}: a picture cannot hold {}, which are fractions with signs, expected TIFF or NPY; "
        "--picture makes one to look at",
        path, output.channels > 1 ? "vectors" : "lengths of vectors"));
  }
  return output;
}

void check_flow_memory(Session& session, const FlowVerbOptions& given, const FlowFiles& files,
                       const Description& output) {
  const std::int64_t bytes = bytes_needed(session, given, given, files, output);
  session.report().result()["memory_bytes"] = bytes;
  const std::string line = fmt::format("in memory, {} bytes", bytes);
  session.log(line);
  const std::uint64_t budget = session.device().memory().budget;
  if (static_cast<std::uint64_t>(bytes) > budget) {
    throw OutOfMemory(fmt::format("{}: the flow needs {} bytes on {}, the budget is {}; {}",
                                  session.argument(0), bytes, session.device().name(), budget,
                                  advice(session, given, files, output, budget)));
  }
  if (session.common().dry_run) session.say("would work " + line);
}

}  // namespace meander::app
