// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input/input_image.hpp"
#include "meander/react.hpp"
#include "options/list.hpp"
#include "session/session.hpp"

namespace meander::app {

struct ReactVerbOptions {
  std::string preset = "edges";
  ReactOptions react = react_preset("edges");  ///< What is said beside the preset.
  std::optional<PixelType> type;
  std::optional<std::vector<std::int64_t>> snapshots;
  std::string sheet;
  bool frames = false;
  std::optional<std::int64_t> repeat;

  template <class Visitor>
  void describe(Visitor& v) {
    v(preset,
      {.name = "preset",
       .help = "edges, contrast, threshold, binarise, denoise, labyrinth or a file; options "
               "given beside it count more"});
    react.describe(v);
    v(type, {.name = "type", .help = "pixel type to write"});
    v(snapshots, {.name = "snapshots",
                  .min = 0,
                  .max = 1e7,
                  .help = "steps after which to keep the layers too: beside OUT as NAME_tSTEP, on "
                          "--sheet if that is given, or as the frames of OUT if it is a GIF"});
    v(sheet, {.name = "sheet", .help = "a PNG with both layers at every snapshot, side by side"});
    v(frames, {.name = "frames", .help = "an old name: see --pages frames and --slice all"});
    v(repeat, {.name = "repeat",
               .min = 1,
               .max = 1000,
               .help = "compute so many times after one warm-up and report each time"});
  }
};

/// The preset with what the command line says over it. In volumes a dt that nobody asked for is
/// lowered where it would not be stable, and steps are raised to the same time unless they were
/// asked for.
ReactOptions options_for(const Session& session, const ReactVerbOptions& given, const Shape& shape);
void say_if_lowered(const Session& session, const ReactVerbOptions& given,
                    const ReactOptions& used);

/// What is written, with the type of --type, or states where the suffix can hold them, else the
/// input's type, else bytes. Throws Unsupported where a second layer would be taken for
/// transparency.
Description react_output(const ReactVerbOptions& given, const ReactOptions& used,
                         const std::string& path, const Description& input);

/// Plans the work of so many runs, and refuses what the budget cannot hold, with the amount: the
/// network, `layers_kept` more images of its layers, and the pixels that are written.
void check_react_memory(Session& session, const Description& image, const ReactOptions& used,
                        std::int64_t runs, int layers_kept, const Description& output);

/// Options as used and figures, into the report and the log.
void report_react_plan(Session& session, const ReactOptions& used, double dt_limit);
void report_react_figures(Session& session, const ReactOptions& used, const ReactFigures& figures);

/// Figures with the ranges of these layers in place of those at the end of the run.
ReactFigures figures_of(const Image& layers, ReactLayer layer, ReactFigures figures);
/// One layer of the two of every channel, in host memory.
Image layer_of(const Image& both, ReactLayer layer);

/// `react_pixels`; counts what goes beyond an integer type on its way back through
/// the window, for other maps are asked for by their ends.
Image counted_pixels(Session& session, const Image& layers, const ReactOptions& used,
                     const ReactFigures& figures, PixelType type);

/// Which pixels a window that was found left out, and how they would be taken in.
void say_if_beyond(const Session& session, const std::array<double, 2>& window,
                   std::int64_t beyond);

bool is_gif(const std::string& path);

/// One image, with its snapshots.
int run_react_still(Session& session, const ReactVerbOptions& given, io::Reader& reader);
/// Many images of one size: the slices of a stack or numbered files.
int run_react_film(Session& session, const ReactVerbOptions& given);

}  // namespace meander::app
