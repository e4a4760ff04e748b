// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "react/react.hpp"
#include "input/frames.hpp"

namespace meander::app {
namespace {

int run_image_or_film(Session& session, const ReactVerbOptions& options) {
  take_grey_as_one_channel(session, true);
  const std::string& in = session.argument(0);
  if (io::is_sequence(in)) return run_react_film(session, options);
  io::Reader reader(in, session.read_options());
  session.log_print_density(in, reader);
  const bool is_film = chosen_frames(session.invocation(), in, reader).count > 1;
  if (is_film || options.frames) return run_react_film(session, options);
  return run_react_still(session, options, reader);
}

int run(Session& session, const ReactVerbOptions& options) {
  const int code = run_image_or_film(session, options);
  if (options.frames) {
    session.warn(
        {"--frames is an old name: --pages frames is for stacks that do not say "
         "what their pages are, --slice all for volumes"});
  }
  return code;
}

}  // namespace

Verb react_verb() {
  const auto options = std::make_shared<ReactVerbOptions>();
  const auto shared = std::make_shared<Invocation>();
  return {
      .name = "react",
      .summary = "Filters an image by a reaction-diffusion cellular network",
      .details =
          "Every pixel becomes a cell with two states, u and v, that react with each other and "
          "diffuse; what comes of the image depends on the genes, of which presets are good "
          "sets (the defaults below are those of edges). A dt beyond the limit of stability is "
          "refused. Float files hold the states "
          "themselves, integer files what --output-map makes of them. Channels are networks of "
          "their own, and so are the frames of a film, all seen by the same window and map, "
          "and the "
          "slices of a volume with --slice all; IN may be numbered files "
          "too (frame%04d.png), and OUT numbered files, a stack or a GIF. Otherwise the cells of "
          "a volume have six neighbours. Numbered frames appear when all are "
          "done, or none of them; files of snapshots that are complete stay when a run is "
          "interrupted.",
      .example = "meander react cells.png edges.png --preset edges",
      .arguments = {{.name = "IN", .help = "an image file, or numbered files as frame%04d.png"},
                    {.name = "OUT",
                     .help = "its suffix chooses the format; a GIF shows the evolution"}},
      .options =
          entries_of(*options, shared->device, shared->input, shared->output, shared->in_place),
      .films = Films::itself,
      .unknown_pages = UnknownPages::frames,
      .showing = Showing::values,
      .other_outputs = {"snapshots", "sheet"},
      .run = [options](Session& session) { return run(session, *options); },
      .invocation = shared};
}

}  // namespace meander::app
