// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "segment_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

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

Description mask_of(Description image) {
  image.type = PixelType::u8;
  return image;
}

}  // namespace

SegmentOutputs::SegmentOutputs(Session& session, const SegmentVerbOptions& given,
                               const Description& image)
    : session_(session), given_(given), image_(image), out_(session.argument(1)) {
  const Description mask = mask_of(image);
  const bool is_mask = kind_of(out_) == OutKind::mask;
  check_targets();
  Report& report = session.report();
  if (is_mask) {
    out_mask_.emplace(out_, mask);
    report.add_output(out_, mask);
  } else {
    io::check_text_target(out_);
    report.add_output(out_);
  }
  if (!given.mask_out.empty()) {
    mask_.emplace(given.mask_out, mask);
    report.add_output(given.mask_out, mask);
  }
  for (const std::string& picture : {given.overlay, given.evolution}) {
    if (picture.empty()) continue;
    const io::Writer trial(
        picture,
        {.shape = {1, 1, picture == given.overlay ? 1 : 2}, .channels = 3, .type = PixelType::u8});
    report.add_output(picture);
  }
}

/// No output may be another or one of the inputs.
void SegmentOutputs::check_targets() const {
  const std::string outputs[] = {out_, given_.mask_out, given_.overlay, given_.evolution};
  std::vector<std::string> taken{session_.argument(0), given_.truth, given_.init.file};
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
  if (needs_evolution()) film_canvas_.emplace(image, film_side);
}

std::string SegmentOutputs::text_of(const SegmentResult& result) const {
  const Spacing spacing = spacing_of_files(given_, image_.spacing);
  switch (kind_of(out_)) {
    case OutKind::geojson:
      return outlines_as_geojson(result, spacing);
    case OutKind::svg:
      return outlines_as_svg(result, image_.shape, spacing);
    case OutKind::csv:
      return outlines_as_csv(result, spacing);
    case OutKind::mask:
      break;
  }
  throw LogicError("a mask was asked for as text");
}

void SegmentOutputs::write_mask(io::Writer& writer, const std::vector<Polygon>& outlines) {
  const Description mask = mask_of(image_);
  const SlabPlan plan = plan_slabs(mask.shape, padded_bytes(slab_step(mask)));
  for_each_slab(session_, plan, [&](std::int64_t begin, std::int64_t end, const Control& control) {
    Description part = mask;
    part.shape.y = end - begin;
    Image slab = Image::allocate(part);
    fill_mask(outlines, slab, begin, {.stop = control.stop});
    writer.append(slab, control);
  });
}

void SegmentOutputs::write_evolution(const std::vector<Polygon>& evolution) {
  Description film = film_canvas_->description();
  const auto frames = static_cast<std::int64_t>(evolution.size());
  film.shape.z = frames + frames_held;
  io::Writer writer(given_.evolution, film);
  for (std::int64_t i = 0; i < film.shape.z; ++i) {
    const auto index = static_cast<std::size_t>(std::min(i, frames - 1));
    session_.control().step(0.99);
    writer.append(frames == 0 ? film_canvas_->with({})
                              : film_canvas_->with(std::span(evolution).subspan(index, 1)));
  }
  writer.finish();
}

void SegmentOutputs::write(const SegmentResult& result, const std::vector<Polygon>& evolution) {
  const std::vector<Polygon> outlines = polygons_of(result);
  session_.report().timed("write", [&] {
    if (canvas_) io::write(given_.overlay, canvas_->with(outlines));
    canvas_.reset();
    if (film_canvas_) write_evolution(evolution);
    film_canvas_.reset();
    if (mask_) {
      write_mask(*mask_, outlines);
      mask_->finish();
    }
    if (out_mask_) {
      write_mask(*out_mask_, outlines);
      out_mask_->finish();
    } else {
      io::write_text(out_, text_of(result));
    }
  });
}

}  // namespace meander::app
