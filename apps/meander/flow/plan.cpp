// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "flow/flow.hpp"
#include "input/input_image.hpp"

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
          : fmt::format("{}: an image with {} channels, expected 1{}", path, found.channels,
                        flow_advice(found.channels)));
}

void check_start(const std::string& path, const Description& found, const Shape& shape) {
  if (found.shape == shape && found.channels == shape.rank()) return;
  throw InvalidArgument(fmt::format("{}: a field of {} with {} channels, expected {} with {}", path,
                                    to_string(found.shape), found.channels, to_string(shape),
                                    shape.rank()));
}

bool is_double(const FlowVerbOptions& given, const Description& input) {
  return given.flow.precision == Precision::float64 || input.type == PixelType::f64;
}

/// Ways to the field that hold less, the better first. Masks and the generalised flow need
/// multigrid, 16-bit storage is none for double precision, and explicit steps are none for a mu
/// beyond the limit of even the weakest gradient.
std::vector<FlowOptions> cheaper_ways(const FlowVerbOptions& given, const FlowFiles& files) {
  if (given.flow.generalised || files.mask) return {};
  std::vector<FlowOptions> ways;
  FlowOptions way = given.flow;
  way.solver = FlowSolver::fed;
  if (given.flow.solver == FlowSolver::multigrid) ways.push_back(way);
  const bool may_be_stable = given.flow.mu <= flow_mu_limit(files.image, 0);
  if (given.flow.storage == FlowStorage::f32 && may_be_stable && !is_double(given, files.image)) {
    way.solver = FlowSolver::explicit_steps;
    way.storage = FlowStorage::f16;
    ways.push_back(way);
  }
  return ways;
}

std::string words(const FlowOptions& way) {
  const std::string solver = "--solver " + OptionText<FlowSolver>::format(way.solver);
  if (way.storage == FlowStorage::f32) return solver;
  return solver + " --storage " + OptionText<FlowStorage>::format(way.storage);
}

Description slice_of(Description image, int channels, PixelType type) {
  image.shape.z = 1;
  image.channels = channels;
  image.type = type;
  return image;
}

Description with_channels(Description image, int channels) {
  image.channels = channels;
  return image;
}

/// What files hold beyond what the estimate of the flow counts for them: an unused channel, a wider
/// type.
std::int64_t excess_bytes(const FlowFiles& files, const Description& field) {
  const auto beyond = [](const io::Reader& reader, Description counted) {
    return std::max<std::int64_t>(0, padded_bytes(reader.description()) - padded_bytes(counted));
  };
  return beyond(files.input, files.image) +
         (files.mask ? beyond(*files.mask, with_channels(field, 1)) : 0) +
         (files.start ? beyond(*files.start, field) : 0);
}

FlowExtras extras_of(const FlowFiles& files) {
  return {.mask = files.mask.has_value(), .start = files.start.has_value()};
}

/// The flow, or what is made of it afterwards if that is more. A picture keeps the slice that it
/// shows of the image and of the vectors before; drawing it takes about as much as counted here.
std::int64_t bytes_needed(const Device& device, const FlowVerbOptions& given,
                          const FlowOptions& way, const FlowFiles& files,
                          const Description& output) {
  const Description& image = files.image;
  const Description field = flow_field(given, image);
  const std::int64_t solving =
      estimate_bytes(image, way, device, extras_of(files)) + excess_bytes(files, field);
  const std::int64_t lengths = padded_bytes(with_channels(field, 1));
  const std::int64_t derived = given.output == FlowOutput::field ? 0
                               : given.output == FlowOutput::magnitude
                                   ? lengths
                                   : padded_bytes(field) + lengths;
  const std::int64_t written = output.type == field.type ? 0 : padded_bytes(output);
  const std::int64_t writing = padded_bytes(field) + derived + written;
  if (given.picture.empty()) return std::max(solving, writing);
  const std::int64_t vectors = padded_bytes(slice_of(image, 2, field.type));
  const std::int64_t kept = vectors + padded_bytes(slice_of(image, 1, image.type));
  const std::int64_t drawing =
      4 * vectors + 6 * padded_bytes(slice_of(image, 3, PixelType::u8)) + sheet_bytes;
  return kept + std::max({solving, writing, padded_bytes(field) + vectors, drawing});
}

std::string advice(Session& session, const FlowVerbOptions& given, const FlowFiles& files,
                   const Description& output, std::uint64_t budget) {
  for (const FlowOptions& way : cheaper_ways(given, files)) {
    const std::int64_t bytes = bytes_needed(session.device(), given, way, files, output);
    if (static_cast<std::uint64_t>(bytes) <= budget) {
      return fmt::format("{} needs {}", words(way), bytes);
    }
  }
  return "no solver or storage needs less than the budget";
}

io::ReadOptions options_for_input(const Session& session, const FlowVerbOptions& given) {
  io::ReadOptions options = session.read_options();
  options.channels_last = options.channels_last || given.field;
  return options;
}

}  // namespace

FlowFiles::FlowFiles(Session& session, const FlowVerbOptions& given)
    : input(session.open_input(options_for_input(session, given))),
      image(given.field ? input.description() : as_grey(input)) {
  session.report().add_input(session.argument(0), image, input.film());
  check_channels(session.argument(0), given, image);
  if (!given.mask.empty()) {
    mask = open_beside(session, input, given.mask);
    check_mask(given.mask, as_grey(*mask), image.shape);
    session.report().add_input(given.mask, mask->description());
  }
  if (!given.start.empty()) {
    start = open_beside(session, input, given.start, true);
    check_start(given.start, start->description(), image.shape);
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
        "{}: a picture cannot hold {}, expected TIFF or NPY; --picture makes one to look at", path,
        output.channels > 1 ? "vectors" : "lengths of vectors, which are below 1"));
  }
  return output;
}

void check_flow_memory(Session& session, const FlowVerbOptions& given, const FlowFiles& files,
                       const Description& output) {
  Work work = estimate_work(files.image, given.flow, extras_of(files));
  work *= static_cast<double>(given.repeat.value_or(0) + 1);
  session.plan(work, [&](const Device& device) {
    return static_cast<std::uint64_t>(bytes_needed(device, given, given.flow, files, output)) <=
           session.budget(device);
  });
  const std::int64_t bytes = bytes_needed(session.device(), given, given.flow, files, output);
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
