// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "hostile_file.hpp"
#include "meander/outline_file.hpp"

namespace meander::io {

/// A simple ring with a place on the grid, of positive area unless it is a hole.
inline bool is_sound(const Polygon& ring, bool is_hole) {
  return is_simple(ring) && (ring.signed_area() < 0) == is_hole;
}

inline std::string fault_of_regions(const std::vector<Region>& regions) {
  if (regions.size() > most_outlines) return "too many outlines";
  for (const Region& region : regions) {
    if (!is_sound(region.outer, false)) return "an outer ring that is none";
    for (const Polygon& hole : region.holes) {
      if (!is_sound(hole, true)) return "a hole that is none";
    }
  }
  return "";
}

inline std::string fault_of_curves(const std::vector<Curve>& curves, bool open) {
  if (curves.size() > most_outlines) return "too many curves";
  for (const Curve& curve : curves) {
    if (curve.is_open != open) return "a curve that was not asked for";
    if (open ? curve.points.size() < 2 : !is_sound({curve.points}, false)) return "no curve";
  }
  return "";
}

/// Empty when what was read is sound, or was refused with an error that a file can deserve.
/// InvalidArgument is for rings that touch themselves and for what was not asked for.
template <class Read>
std::string fault_of_one_way(const std::filesystem::path& path, const Read& read, bool& opened) {
  try {
    const std::string fault = read();
    opened = true;
    return fault;
  } catch (const MalformedFile& error) {
    return fault_of_refusal(path, error.what());
  } catch (const Unsupported& error) {
    return fault_of_refusal(path, error.what());
  } catch (const InvalidArgument& error) {
    return fault_of_refusal(path, error.what());
  } catch (const std::exception& error) {
    return std::string("an error that no file deserves: ") + error.what();
  }
}

/// As regions, closed curves and open ones, in pixels or in a unit; see fault_of_reading.
inline std::string fault_of_reading_outlines(const std::filesystem::path& path,
                                             std::uint32_t choice, bool& opened) {
  const Spacing image = (choice & 1) != 0 ? Spacing{} : Spacing{0.5, 0.25, 1, Unit::micrometre};
  std::string fault = fault_of_one_way(
      path, [&] { return fault_of_regions(read_regions(path, image)); }, opened);
  for (const bool open : {false, true}) {
    if (!fault.empty()) break;
    fault = fault_of_one_way(
        path, [&] { return fault_of_curves(read_curves(path, image, open), open); }, opened);
  }
  return fault;
}

/// Of an image or of outlines, as the suffix of the path has it.
inline std::string fault_of(const std::filesystem::path& path, std::string_view format,
                            std::uint32_t choice, bool& opened) {
  return is_outline_file(path) ? fault_of_reading_outlines(path, choice, opened)
                               : fault_of_reading(path, format, choice, opened);
}

}  // namespace meander::io
