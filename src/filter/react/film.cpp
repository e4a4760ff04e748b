// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "meander/film.hpp"
#include "meander/react.hpp"
#include "meander/statistics.hpp"
#include "meander/window.hpp"

namespace meander {
namespace {

/// Over all frames: the range of the pixels, and which frame has the widest.
struct FilmRange {
  std::array<double, 2> pixels{0, 0};
  std::int64_t widest = 0;
};

FilmRange range_of(io::FrameSource& frames, const Control& control) {
  FilmRange range;
  double most = -1;
  for (std::int64_t i = 0; i < frames.count(); ++i) {
    control.step(static_cast<double>(i) / static_cast<double>(frames.count()));
    const Control stop{.stop = control.stop, .progress = {}};
    const Statistics frame = statistics(frames.read(i, stop), stop);
    range.pixels = {i == 0 ? frame.min : std::min(range.pixels[0], frame.min),
                    i == 0 ? frame.max : std::max(range.pixels[1], frame.max)};
    if (frame.max - frame.min > most) range.widest = i;
    most = std::max(most, frame.max - frame.min);
  }
  return range;
}

}  // namespace

ReactFilm settle_film(const ReactOptions& options, PixelType written, io::FrameSource& frames,
                      const Control& control) {
  using Kind = ReactWindow::Kind;
  ReactFilm film{.options = options};
  const Kind kind = options.window.kind;
  const bool is_robust = kind == Kind::automatic || kind == Kind::fit;
  const bool is_open =
      is_robust || kind == Kind::range || (kind == Kind::full && !is_integer(frames.frame().type));
  const bool maps_range = is_integer(written) && options.output_map.kind == ReactMap::Kind::range;
  if (!is_open && !maps_range) return film;
  const FilmRange range = range_of(frames, control);
  if (is_open && range.pixels[0] < range.pixels[1]) {
    film.options.window = {range.pixels[0], range.pixels[1]};
  }
  if (maps_range) film.map_frame = range.widest;
  if (!is_robust) return film;
  const FoundWindow found = find_window(frames, {.stop = control.stop, .progress = {}});
  if (kind == Kind::fit && !found.is_range_of_few()) return film;
  film.options.window = Kind::automatic;
  film.options.window.ends = found.window;
  film.beyond = found.beyond;
  return film;
}

}  // namespace meander
