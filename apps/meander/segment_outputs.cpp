// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "segment_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compression.hpp"
#include "file_names.hpp"

namespace meander::app {
namespace {

/// How long a film shows its last frame, in tenths of a second.
constexpr std::int64_t frames_held = 15;

enum class OutKind { geojson, svg, csv, mask };

OutKind kind_of(const std::string& path) {
  const std::string suffix = suffix_of(path);
  if (suffix == ".geojson" || suffix == ".json") return OutKind::geojson;
  if (suffix == ".svg") return OutKind::svg;
  if (suffix == ".csv") return OutKind::csv;
  if (io::can_hold(path, PixelType::u8)) return OutKind::mask;
  throw Unsupported(fmt::format(
      "{}: found the suffix '{}', expected .geojson, .json, .svg or .csv for outlines or that of "
      "an image for a mask",
      path, suffix));
}

Description in_whole(Description image, const SegmentPlace& place) {
  image.shape = place.whole;
  image.placement = place.placement;
  return image;
}

/// Of the whole image, whatever part of it is searched.
Description mask_of(Description image, const SegmentPlace& place) {
  image.type = PixelType::u8;
  return in_whole(image, place);
}

/// Outlines with the coordinates of the whole image, as files have them.
SegmentFindings in_whole(SegmentFindings found, const SegmentPlace& place) {
  if (found.region) {
    for (Outline& outline : found.region->outlines) place.to_whole(outline.polygon.vertices);
  }
  if (found.edge) {
    for (EdgeOutline& outline : found.edge->outlines) place.to_whole(outline.curve.points);
  }
  return found;
}

std::vector<EvolutionFrame> in_whole(std::vector<EvolutionFrame> frames,
                                     const SegmentPlace& place) {
  for (EvolutionFrame& frame : frames) {
    for (Curve& curve : frame.curves) place.to_whole(curve.points);
  }
  return frames;
}

}  // namespace

bool is_text_of_evolution(const std::string& path) { return suffix_of(path) == ".json"; }

SegmentOutputs::SegmentOutputs(Session& session, const SegmentVerbOptions& given,
                               const Description& image, const SegmentPlace& place)
    : session_(session), given_(given), image_(image), place_(place), out_(session.argument(1)) {
  const Description mask = mask_of(image, place);
  const bool is_mask = kind_of(out_) == OutKind::mask;
  if (is_mask && given.open) {
    throw InvalidArgument(out_ + ": a mask is of closed curves, expected no --open beside it");
  }
  if (!given.stages.empty()) stages_.emplace(given.stages, given.field.empty());
  check_targets();
  Report& report = session.report();
  if (is_mask) {
    out_mask_ = &session.open_out(mask);
    report.add_output(out_, mask);
  } else {
    io::check_text_target(out_);
    report.add_output(out_);
  }
  if (!given.mask_out.empty()) {
    mask_.emplace(session.create_beside(given.mask_out, mask));
    report.add_output(given.mask_out, mask);
  }
  check_pictures();
}

void SegmentOutputs::check_pictures() {
  for (const std::string& picture : {given_.overlay, given_.evolution}) {
    if (picture.empty()) continue;
    const bool is_film = picture == given_.evolution;
    if (is_film && is_text_of_evolution(picture)) {
      io::check_text_target(picture);
    } else {
      const io::Writer trial(
          picture, {.shape = {1, 1, is_film ? 2 : 1}, .channels = 3, .type = PixelType::u8});
    }
    session_.report().add_output(picture);
  }
}

/// No output may be another or one of the inputs.
void SegmentOutputs::check_targets() const {
  std::vector<std::string> outputs{out_, given_.mask_out, given_.overlay, given_.evolution};
  if (stages_) {
    for (const std::string& picture : stages_->files()) outputs.push_back(picture);
  }
  std::vector<std::string> taken{session_.argument(0), given_.truth, given_.init.file,
                                 given_.field};
  for (const std::string& output : outputs) {
    if (output.empty()) continue;
    for (const std::string& other : taken) {
      if (other.empty() || !is_same_file(output, other)) continue;
      throw InvalidArgument(output + ": named twice, expected a file of its own for each output");
    }
    taken.push_back(output);
  }
}

void SegmentOutputs::look_at(const Image& image) {
  if (!given_.overlay.empty()) canvas_.emplace(image, overlay_side);
  if (needs_evolution() && !is_text_of_evolution(given_.evolution)) {
    film_canvas_.emplace(image, film_side);
  }
}

std::string SegmentOutputs::text_of(const SegmentFindings& found) const {
  const Spacing spacing = spacing_of_files(given_, image_.spacing);
  const std::string model = OptionText<SegmentModel>::format(given_.model);
  switch (kind_of(out_)) {
    case OutKind::geojson:
      return found.edge ? outlines_as_geojson(*found.edge, model, spacing)
                        : outlines_as_geojson(*found.region, spacing);
    case OutKind::svg:
      return found.edge ? outlines_as_svg(*found.edge, place_.whole, spacing)
                        : outlines_as_svg(*found.region, place_.whole, spacing);
    case OutKind::csv:
      return found.edge ? outlines_as_csv(*found.edge, spacing)
                        : outlines_as_csv(*found.region, spacing);
    case OutKind::mask:
      break;
  }
  throw LogicError("a mask was asked for as text");
}

void SegmentOutputs::write_mask(io::Writer& writer, const std::vector<Polygon>& outlines) {
  const Description mask = mask_of(image_, place_);
  const SlabPlan plan = plan_slabs(mask.shape, padded_bytes(slab_step(mask)));
  for_each_slab(session_, plan, [&](std::int64_t begin, std::int64_t end, const Control& control) {
    Description part = mask;
    part.shape.y = end - begin;
    Image slab = Image::allocate(part);
    place_.fill_mask(outlines, image_.shape, slab, begin, {.stop = control.stop});
    writer.append(slab, control);
  });
}

void SegmentOutputs::write_film(const std::vector<EvolutionFrame>& evolution) {
  Description film = film_canvas_->description();
  const auto frames = static_cast<std::int64_t>(evolution.size());
  film.shape.z = frames + frames_held;
  io::Writer writer(given_.evolution, film, write_options(given_.evolution));
  for (std::int64_t i = 0; i < film.shape.z; ++i) {
    const auto index = static_cast<std::size_t>(std::min(i, frames - 1));
    session_.control().step(0.99);
    writer.append(frames == 0 ? film_canvas_->with({})
                              : film_canvas_->with(evolution[index].curves, {}));
  }
  writer.finish();
}

void SegmentOutputs::write_pictures(const SegmentFindings& found,
                                    const std::vector<EvolutionFrame>& evolution) {
  if (canvas_) {
    io::write(given_.overlay, canvas_->with(curves_of(found), found.starts), {},
              write_options(given_.overlay));
  }
  canvas_.reset();
  if (film_canvas_) {
    write_film(evolution);
  } else if (needs_evolution()) {
    io::write_text(given_.evolution,
                   evolution_as_json(in_whole(evolution, place_), in_whole(image_, place_)));
  }
  film_canvas_.reset();
}

void SegmentOutputs::write(const SegmentFindings& found,
                           const std::vector<EvolutionFrame>& evolution, const Image& image) {
  const std::vector<Polygon> outlines = polygons_of(found);
  session_.report().timed("write", [&] {
    write_pictures(found, evolution);
    // Without an outline of a region there was nothing to move, and no stage.
    if (stages_ && !found.edge->outlines.empty()) {
      stages_->write(image, found);
      for (const std::string& file : stages_->files()) session_.report().add_output(file);
    }
    if (mask_) {
      write_mask(*mask_, outlines);
      mask_->finish();
    }
    if (out_mask_ != nullptr) {
      write_mask(*out_mask_, outlines);
      session_.finish_out();
    } else {
      io::write_text(out_, text_of(in_whole(found, place_)));
    }
  });
}

}  // namespace meander::app
