// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <algorithm>

#include "meander/picture.hpp"
#include "segment/outputs.hpp"
#include "segment/segment.hpp"
#include "segment/stages.hpp"

namespace meander::app {
namespace {

/// Moving in a given field: the image, the field as it was read and in f32, the force that is made
/// of it and its lengths.
std::int64_t bytes_in_field(const SegmentFiles& files) {
  const Description field = with(files.image, 2, PixelType::f32);
  return padded_bytes(files.image) + padded_bytes(files.field->description()) +
         2 * padded_bytes(field) + padded_bytes(with(field, 1, PixelType::f32));
}

std::int64_t bytes_of_edges(const Device& device, const SegmentVerbOptions& given,
                            const SegmentFiles& files) {
  const bool keeps = !given.stages.empty();
  const std::int64_t moving =
      files.field ? bytes_in_field(files)
                  : estimate_bytes(files.image, given.find.edge, device, {.keeps_stages = keeps});
  return keeps ? std::max(moving, bytes_of_stages(files.image)) : moving;
}

/// As it was read, and a byte a pixel.
std::int64_t bytes_of_mask(const Description& mask) {
  return padded_bytes(mask) + padded_bytes(with(mask, 1, PixelType::u8));
}

/// The search, with what pictures are drawn on; or reading a mask to start from, which comes
/// before.
std::int64_t bytes_needed(const Device& device, const SegmentVerbOptions& given,
                          const ObjectOptions& way, const SegmentFiles& files) {
  const auto canvas = [&](const std::string& path, std::int64_t side) {
    return path.empty() || is_text_of_evolution(path)
               ? 0
               : OutlineCanvas::bytes_to_make(files.image.shape, side);
  };
  // A channel that is left out is read all the same.
  const std::int64_t unused = padded_bytes(files.input.description()) - padded_bytes(files.image);
  const std::int64_t region = given.find.uses_region()
                                  ? estimate_bytes(files.image, way, device) +
                                        (files.mask ? bytes_of_mask(files.mask->description()) : 0)
                                  : 0;
  const std::int64_t edges = given.find.uses_edges() ? bytes_of_edges(device, given, files) : 0;
  const std::int64_t searching = std::max(region, edges) + unused +
                                 canvas(given.overlay, overlay_side) +
                                 canvas(given.evolution, film_side);
  const std::int64_t starting =
      files.start_mask ? padded_bytes(files.start_mask->description()) : 0;
  return std::max(searching, starting);
}

std::string words(const ObjectOptions& way) {
  return fmt::format("--schedule {} --store {}",
                     OptionText<SegmentSchedule>::format(way.search.schedule),
                     OptionText<SumStore>::format(way.search.store));
}

/// Ways that hold less, the nearest to what was asked for first.
std::vector<ObjectOptions> cheaper_ways(const ObjectOptions& given) {
  std::vector<ObjectOptions> ways;
  ObjectOptions way = given;
  way.search.store = SumStore::base32;
  if (given.search.store != way.search.store) ways.push_back(way);
  way.search.schedule = given.search.schedule == SegmentSchedule::pyramid
                            ? SegmentSchedule::classic
                            : SegmentSchedule::pyramid;
  ways.push_back(way);
  return ways;
}

std::string advice(Session& session, const SegmentVerbOptions& given, const SegmentFiles& files,
                   std::uint64_t budget) {
  const auto ways =
      given.find.uses_region() ? cheaper_ways(given.find.region) : std::vector<ObjectOptions>();
  for (const ObjectOptions& way : ways) {
    const std::int64_t bytes = bytes_needed(session.device(), given, way, files);
    if (static_cast<std::uint64_t>(bytes) <= budget) {
      return fmt::format("{} needs {}", words(way), bytes);
    }
  }
  return given.find.uses_edges() ? "a smaller part of the image needs less"
                                 : "no schedule or store needs less than the budget";
}

}  // namespace

Work work_of(const SegmentVerbOptions& given, const Description& image, bool has_field) {
  Work work = estimate_work(
      image, given.find.region.search);  // curves that move through a field are like it
  if (given.find.uses_edges() && !has_field) work += estimate_work(image, given.find.edge);
  return work;
}

void check_segment_memory(Session& session, const SegmentVerbOptions& given,
                          const SegmentFiles& files) {
  Work work = work_of(given, files.image, files.field.has_value());
  work *= static_cast<double>(given.repeat.value_or(0) + 1);
  session.plan(work, [&](const Device& device) {
    return static_cast<std::uint64_t>(bytes_needed(device, given, given.find.region, files)) <=
           session.budget(device);
  });
  const std::int64_t bytes = bytes_needed(session.device(), given, given.find.region, files);
  session.report().result()["memory_bytes"] = bytes;
  const std::string line = fmt::format("in memory, {} bytes", bytes);
  session.log(line);
  const std::uint64_t budget = session.device().memory().budget;
  if (static_cast<std::uint64_t>(bytes) > budget) {
    throw OutOfMemory(fmt::format("{}: the search needs {} bytes on {}, the budget is {}; {}",
                                  session.argument(0), bytes, session.device().name(), budget,
                                  advice(session, given, files, budget)));
  }
  if (session.common().dry_run) session.say("would work " + line);
}

}  // namespace meander::app
