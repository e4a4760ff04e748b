// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "segment/propagate_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "input/input_image.hpp"
#include "segment/outputs.hpp"
#include "system/file_names.hpp"

namespace meander::app {
namespace {

enum class OutKind { geojson, csv, rois, mask };

OutKind kind_of(const std::string& path) {
  const std::string suffix = suffix_of(path);
  if (suffix == ".geojson" || suffix == ".json") return OutKind::geojson;
  if (suffix == ".csv") return OutKind::csv;
  if (suffix == ".zip") return OutKind::rois;
  if (io::can_hold(path, PixelType::u8)) return OutKind::mask;
  throw Unsupported(fmt::format(
      "{}: found the suffix '{}', expected .geojson, .json, .csv or .zip for outlines of all "
      "frames or that of an image for a mask",
      path, suffix));
}

bool is_film_of_pictures(const std::string& path) {
  return suffix_of(path) == ".gif" && !io::is_sequence(path);
}

void check_table(const std::string& path) {
  if (path.empty() || suffix_of(path) == ".csv") return;
  throw InvalidArgument(
      fmt::format("--table: {}: found the suffix '{}', expected .csv", path, suffix_of(path)));
}

/// With the coordinates of the whole image, as files have them.
std::vector<TrackFrame> in_whole(std::vector<TrackFrame> frames, const SegmentPlace& place) {
  for (TrackFrame& frame : frames) {
    for (TrackedObject& object : frame.objects) {
      place.to_whole(object.curve.points);
      for (Polygon& hole : object.holes) place.to_whole(hole.vertices);
      place.to_whole(object.splines);
      object.x += static_cast<double>(place.left);
      object.y += static_cast<double>(place.top);
    }
  }
  return frames;
}

}  // namespace

PropagateOutputs::PropagateOutputs(Session& session, const SegmentVerbOptions& given,
                                   const FrameSource& source, const SegmentPlace& place)
    : session_(session), given_(given), source_(source), place_(place), out_(session.argument(1)) {
  check_table(given.table);
  const bool is_mask = kind_of(out_) == OutKind::mask;
  if (is_mask && given.find.edge.snake.open) {
    throw InvalidArgument(out_ + ": a mask is of closed curves, expected no --open beside it");
  }
  check_targets();
  open_pixels();
  for (const std::string& text : {is_mask ? std::string() : out_, given.table}) {
    if (text.empty()) continue;
    io::check_text_target(text);
    session.report().add_output(text);
  }
  if (given.overlay.empty()) return;
  if (io::is_sequence(given.overlay)) {
    pictures_.emplace(given.overlay);
  } else if (!is_film_of_pictures(given.overlay)) {
    throw InvalidArgument(fmt::format(
        "--overlay: every frame would write {}, expected a .gif or numbered files as {}",
        given.overlay, numbered_example(given.overlay)));
  }
  session.report().add_output(given.overlay);
}

/// No output may be another or one of the inputs.
void PropagateOutputs::check_targets() const {
  std::vector<std::string> taken{session_.argument(0), given_.init.file, given_.truth};
  for (const std::string& output :
       {out_, given_.mask_out, given_.labels_out, given_.table, given_.overlay}) {
    if (output.empty()) continue;
    for (const std::string& other : taken) {
      if (other.empty() || !is_same_file(output, other)) continue;
      throw InvalidArgument(output + ": named twice, expected a file of its own for each output");
    }
    taken.push_back(output);
  }
}

/// Of all frames together, of the whole image whatever part of it is searched.
Description PropagateOutputs::pixels_of(PixelType type) const {
  Description all = source_.frame();
  all.shape = {place_.whole.x, place_.whole.y, source_.whole().shape.z};
  all.placement = place_.placement;
  all.channels = 1;
  all.type = type;
  return all;
}

void PropagateOutputs::open_pixels() {
  const io::Film film = source_.film();
  const auto check = [&](const std::string& path) {
    const std::optional<io::Format> format = format_of(path);
    if (!source_.is_film() || !format || format->films) return;
    throw InvalidArgument(path + ": all frames go into one file, expected a format that has films");
  };
  const auto open = [&](const std::string& path, PixelType type) {
    check(path);
    session_.report().add_output(path, pixels_of(type), film);
    return session_.create_beside(path, pixels_of(type), film);
  };
  if (!given_.mask_out.empty()) mask_.emplace(open(given_.mask_out, PixelType::u8));
  if (!given_.labels_out.empty()) labels_.emplace(open(given_.labels_out, PixelType::u16));
  if (kind_of(out_) != OutKind::mask) return;
  check(out_);
  out_mask_ = &session_.open_out(pixels_of(PixelType::u8), film);
  session_.report().add_output(out_, pixels_of(PixelType::u8), film);
}

/// The part where it belongs in the whole, 0 beside it.
Image PropagateOutputs::placed(const Image& part) const {
  const Shape whole{place_.whole.x, place_.whole.y, 1};
  if (part.shape() == whole) return part;
  Description description = part.description();
  description.shape = whole;
  Image all = Image::allocate(description);
  const auto pixel = static_cast<std::ptrdiff_t>(size_of(part.type()));
  for (std::int64_t y = 0; y < whole.y; ++y) {
    std::byte* row = all.mutable_row_bytes(y);
    std::fill_n(row, whole.x * pixel, std::byte{0});
    const std::int64_t from = y - place_.top;
    if (from < 0 || from >= part.shape().y) continue;
    std::copy_n(part.row_bytes(from), part.shape().x * pixel, row + place_.left * pixel);
  }
  return all;
}

void PropagateOutputs::add(std::int64_t index, const Image& image, const TrackFrame& frame) {
  const auto blank = [&](PixelType type) {
    return Image::allocate({.shape = image.shape(), .type = type, .spacing = image.spacing()});
  };
  const Control stop{.stop = session_.control().stop};
  if (mask_ || out_mask_ != nullptr) {
    Image mask = blank(PixelType::u8);
    fill_mask(objects_of(frame), mask, 0, stop);
    const Image all = placed(mask);
    if (mask_) mask_->append(all);
    if (out_mask_ != nullptr) out_mask_->append(all);
  }
  if (labels_) {
    Image labels = blank(PixelType::u16);
    run_named(given_.labels_out, [&] { fill_labels(objects_of(frame), labels, 0, stop); });
    labels_->append(placed(labels));
  }
  if (!given_.overlay.empty()) add_picture(index, image, frame, stop);
}

void PropagateOutputs::add_picture(std::int64_t index, const Image& image, const TrackFrame& frame,
                                   const Control& stop) {
  const OutlineCanvas canvas(image, pictures_ ? overlay_side : film_side, given_.window, stop);
  std::vector<Curve> curves;
  for (const TrackedObject& object : frame.objects) curves.push_back(object.curve);
  // Open curves cover nothing, and have no numbers.
  const Image picture = given_.find.edge.snake.open
                            ? canvas.with(curves, {}, stop)
                            : canvas.with_numbers(objects_of(frame), {}, stop);
  if (!pictures_) {
    Description all = picture.description();
    all.shape.z = source_.count();
    if (!film_) film_.emplace(given_.overlay, all, session_.write_options(given_.overlay));
    return film_->append(picture);
  }
  pictures_->write(source_.number(index), picture, session_.write_options(given_.overlay));
}

TrackScale PropagateOutputs::scale() const {
  return {spacing_of_results(given_, source_.frame().spacing), source_.film().seconds};
}

std::string PropagateOutputs::text_of(const std::vector<TrackFrame>& frames) const {
  const Control stop{.stop = session_.control().stop};
  switch (kind_of(out_)) {
    case OutKind::geojson:
      return tracks_as_geojson(frames, scale(), stop);
    case OutKind::csv:
      return track_outlines_as_csv(frames, scale(), stop);
    case OutKind::rois:
      return tracks_as_roi_zip(frames, stop);
    case OutKind::mask:
      break;
  }
  throw LogicError("a mask was asked for as text");
}

void PropagateOutputs::finish(const std::vector<TrackFrame>& frames) {
  const std::vector<TrackFrame> tracks = in_whole(frames, place_);
  if (pictures_) pictures_->finish();
  if (film_) film_->finish();
  if (mask_) mask_->finish();
  if (labels_) labels_->finish();
  if (!given_.table.empty()) {
    const Control stop{.stop = session_.control().stop};
    io::write_text(given_.table, tracks_as_csv(tracks, scale(), stop));
  }
  if (out_mask_ != nullptr) {
    session_.finish_out();
  } else {
    io::write_text(out_, text_of(tracks));
  }
}

std::int64_t PropagateOutputs::bytes_needed(const SegmentVerbOptions& given,
                                            const Description& frame, const SegmentPlace& place) {
  const Description all{.shape = {place.whole.x, place.whole.y, 1}, .type = PixelType::u16};
  Description part = all;
  part.shape = frame.shape;
  const std::int64_t pixels = padded_bytes(part) + padded_bytes(all);
  const bool is_film = is_film_of_pictures(given.overlay);
  const std::int64_t canvas =
      given.overlay.empty()
          ? 0
          : OutlineCanvas::bytes_to_make(frame.shape, is_film ? film_side : overlay_side);
  return std::max(pixels, canvas);
}

}  // namespace meander::app
