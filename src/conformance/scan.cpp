// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "conformance/line_samples.hpp"
#include "engine/view_lines.hpp"

namespace meander::conformance {
namespace {

using engine::Axis;
using engine::Backend;
using engine::Direction;
using engine::Recurrence;
using engine::StateMap;
using engine::View;

/// Of the range of the input. In float32 every step rounds its few operations, 2^-24 of the state
/// each; with the poles used here an error decays within about 10 steps, so errors stay below 80
/// roundings or 5e-6. float64 rounds 2^-29 times as coarsely, but `reference` rounds as well.
double tolerance_of(PixelType out) { return out == PixelType::f32 ? 5e-6 : 2 * 5e-6 * 0x1p-29; }

std::string name_of_pair(const TypePair& types) {
  return std::string(name_of(types.in)) + " to " + std::string(name_of(types.out));
}

bool is_in_place_allowed(const Device& device, const TypePair& types,
                         const Recurrence& recurrence) {
  return types.in == types.out &&
         (recurrence.form == Recurrence::Form::cascade || device.backend().uses_host_memory());
}

/// One recurrence over one image, out of place and, where allowed, in place.
void compare_scan(const Device& device, const TypePair& types, const Image& host, Axis axis,
                  const Recurrence& recurrence, Deviation& found) {
  const Device reference = Device::open("reference");
  const auto run = [&](Backend& backend, const View& in, const View& out) {
    backend.scan(in, out, axis, recurrence);
  };
  const Image blank = blank_for(host, types.out);
  const double range = range_of(host);
  const Image expected = outcome_on(reference, host, blank, run);
  raise(found, largest_difference(expected, outcome_on(device, host, blank, run)) / range);
  if (!is_in_place_allowed(device, types, recurrence)) return;
  const Image there = outcome_in_place_on(reference, host, run);
  raise(found, largest_difference(there, outcome_in_place_on(device, host, run)) / range);
}

/// Of the shape of `view`, but so many pixels along the axis.
Description state_description(const View& view, Axis axis, int numbers, PixelType type) {
  Description description{.shape = view.shape, .channels = view.channels, .type = type};
  Shape& shape = description.shape;
  (axis == Axis::x ? shape.x : axis == Axis::y ? shape.y : shape.z) = numbers;
  return description;
}

/// States of lines, the same on every device, and whatever a device keeps besides.
Image state_image(const Device& device, const View& view, Axis axis, const Recurrence& recurrence,
                  PixelType type) {
  const int kept = device.backend().state_numbers(recurrence);
  const Image states =
      device.upload(line_image(state_description(view, axis, recurrence.states, type)));
  const Image all = device.upload(line_image(state_description(view, axis, kept, type))).clone();
  device.backend().convert(view_of(states),
                           engine::part_of(view_of(all), axis, 0, recurrence.states), {});
  return all;
}

Image downloaded_states(const Device& device, const Image& all, Axis axis,
                        const Recurrence& recurrence) {
  const Image states = device.allocate(
      state_description(view_of(all), axis, recurrence.states, all.description().type));
  device.backend().convert(engine::part_of(view_of(all), axis, 0, recurrence.states),
                           view_of(states), {});
  return states.download();
}

/// Three uneven pieces, of which short lines leave some empty.
std::vector<std::array<std::int64_t, 2>> pieces_of(std::int64_t length) {
  std::vector<std::array<std::int64_t, 2>> pieces;
  std::int64_t begin = 0;
  for (const std::int64_t end : {length / 5, length / 2, length}) {
    if (end > begin) pieces.push_back({begin, end});
    begin = end;
  }
  return pieces;
}

/// A whole scan with the clamp border, done piece by piece with the states carried.
void scan_in_pieces(Backend& backend, const View& in, const View& out, const View& state, Axis axis,
                    const Recurrence& recurrence) {
  const std::int64_t length = engine::length_along(in, axis);
  const auto pieces = pieces_of(length);
  backend.scan_state(engine::part_of(in, axis, length - 1, length), state, axis, StateMap::start,
                     recurrence);
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    const auto [begin, end] = *piece;
    backend.scan_part(engine::part_of(in, axis, begin, end), engine::part_of(out, axis, begin, end),
                      state, axis, Direction::backward, recurrence, {begin, length});
  }
  const bool is_cascade = recurrence.form == Recurrence::Form::cascade;
  backend.scan_state(engine::part_of(in, axis, 0, 1), state, axis,
                     is_cascade ? StateMap::turn : StateMap::start, recurrence);
  for (const auto& [begin, end] : pieces) {
    backend.scan_part(engine::part_of(is_cascade ? out : in, axis, begin, end),
                      engine::part_of(out, axis, begin, end), state, axis, Direction::forward,
                      recurrence, {begin, length});
  }
}

/// Pieces against the whole, on one device.
void compare_pieces(const Device& device, const Image& host, PixelType type, Axis axis,
                    const Recurrence& recurrence, Deviation& found) {
  const Image blank = blank_for(host, type);
  const Image whole =
      outcome_on(device, host, blank, [&](Backend& backend, const View& in, const View& out) {
        backend.scan(in, out, axis, recurrence);
      });
  const Image pieces =
      outcome_on(device, host, blank, [&](Backend& backend, const View& in, const View& out) {
        const Image state = state_image(device, in, axis, recurrence, type);
        scan_in_pieces(backend, in, out, view_of(state), axis, recurrence);
      });
  raise(found, largest_difference(whole, pieces));
}

/// The states that a pass over the whole line leaves, starting from some states, with or without
/// writing a result.
Image states_after(const Device& device, const Image& host, PixelType type, Axis axis,
                   Direction direction, const Recurrence& recurrence, bool writes) {
  const Image in = device.upload(host).clone();
  const Image out = device.upload(blank_for(host, type)).clone();
  const View from = view_of(inside(in));
  const Image state = state_image(device, from, axis, recurrence, type);
  device.backend().scan_part(from, writes ? view_of(inside(out)) : View{}, view_of(state), axis,
                             direction, recurrence, {0, engine::length_along(from, axis)});
  return downloaded_states(device, state, axis, recurrence);
}

Image mapped_states(const Device& device, const Image& host, PixelType type, Axis axis,
                    StateMap map, const Recurrence& recurrence) {
  const Image in = device.upload(host).clone();
  const View from = view_of(inside(in));
  const Image state = state_image(device, from, axis, recurrence, type);
  device.backend().scan_state(engine::part_of(from, axis, 0, 1), view_of(state), axis, map,
                              recurrence);
  return downloaded_states(device, state, axis, recurrence);
}

void compare_states(const Device& device, const Image& host, PixelType type, Axis axis,
                    const Recurrence& recurrence, Deviation& found) {
  const Device reference = Device::open("reference");
  const double range = range_of(host);
  for (const StateMap map : {StateMap::start, StateMap::wrap, StateMap::turn}) {
    // Only cascades turn back.
    if (map == StateMap::turn && recurrence.form == Recurrence::Form::sum) continue;
    raise(found, largest_difference(mapped_states(reference, host, type, axis, map, recurrence),
                                    mapped_states(device, host, type, axis, map, recurrence)) /
                     range);
  }
  for (const Direction direction : {Direction::backward, Direction::forward}) {
    const Image expected = states_after(reference, host, type, axis, direction, recurrence, true);
    for (const bool writes : {true, false}) {
      const Image states = states_after(device, host, type, axis, direction, recurrence, writes);
      raise(found, largest_difference(expected, states) / range);
    }
  }
}

}  // namespace

/// Every recurrence along every axis of every image; borders and warm-ups take turns, so that each
/// meets each form, axis and (over the pairs of types) size. Where pixels are only read in another
/// type, recurrences take turns as well.
std::vector<Deviation> check_scan(const Device& device) {
  std::vector<Deviation> all;
  std::size_t turn = 0;
  for (const TypePair& types : line_types(device)) {
    Deviation found{.engine = "scan", .check = name_of_pair(types) + ", of the range"};
    found.tolerance = tolerance_of(types.out);
    const auto recurrences = sample_recurrences(types.out);
    const std::size_t count = types.in == types.out ? recurrences.size() : 2;
    for (const Description& description : line_descriptions(types.in)) {
      const Image host = line_image(description);
      for (const Axis axis : all_axes) {
        for (std::size_t i = 0; i < count; ++i, ++turn) {
          const Recurrence recurrence =
              with_border(recurrences[turn % recurrences.size()], all_borders[turn % 5], turn / 5);
          compare_scan(device, types, host, axis, recurrence, found);
        }
      }
    }
    all.push_back(found);
  }
  return all;
}

/// A device must carry states without loss. `reference` computes in float64 whatever the type, so
/// between its pieces f32 states lose what the whole scan keeps: there only f64 is exact.
Deviation check_scan_pieces(const Device& device, PixelType type) {
  Deviation found{.engine = "scan",
                  .check = std::string(name_of(type)) + " in pieces and whole, difference"};
  if (device.name() == "reference" && type == PixelType::f32) found.tolerance = 1000 * 5e-6;
  for (const Description& description : line_descriptions(type)) {
    const Image host = line_image(description);
    for (const Axis axis : all_axes) {
      for (const Recurrence& recurrence : sample_recurrences(type)) {
        compare_pieces(device, host, type, axis, recurrence, found);
      }
    }
  }
  return found;
}

/// States are larger than pixels by what the slowest pole gathers, up to 5 times.
Deviation check_scan_states(const Device& device, PixelType type) {
  Deviation found{.engine = "scan", .check = std::string(name_of(type)) + " states, of the range"};
  found.tolerance = 5 * tolerance_of(type);
  for (const Description& description : line_descriptions(PixelType::u16)) {
    if (description.numbers() > 6000) continue;  // states know nothing of sizes; time matters
    const Image host = line_image(description);
    for (const Axis axis : all_axes) {
      for (const Recurrence& recurrence : sample_recurrences(type)) {
        compare_states(device, host, type, axis, recurrence, found);
      }
    }
  }
  return found;
}

}  // namespace meander::conformance
