// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "segment/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "segment/outline_output.hpp"
#include "system/file_names.hpp"

namespace meander::app {
namespace {

/// How long a film shows its last frame, in tenths of a second.
constexpr std::int64_t frames_held = 15;

/// Of the whole image, whatever part of it is searched.
Description whole_image(Description image, const SegmentPlace& place, PixelType type) {
  image.shape = place.whole;
  image.placement = place.placement;
  image.type = type;
  return image;
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
  const Description mask = whole_image(image, place, PixelType::u8);
  const bool is_mask = out_kind_of(out_) == OutKind::mask;
  if (is_mask && given.find.edge.snake.open) {
    throw InvalidArgument(out_ + ": a mask is of closed curves, expected no --open beside it");
  }
  if (!given.table.empty()) check_table_name(given.table);
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
  open_beside();
  check_pictures();
}

/// The images and the table that options ask for.
void SegmentOutputs::open_beside() {
  const auto open = [&](const std::string& path, PixelType type) {
    const Description whole = whole_image(image_, place_, type);
    session_.report().add_output(path, whole);
    return session_.create_beside(path, whole);
  };
  if (!given_.mask_out.empty()) mask_.emplace(open(given_.mask_out, PixelType::u8));
  if (!given_.labels_out.empty()) labels_.emplace(open(given_.labels_out, PixelType::u16));
  if (given_.table.empty()) return;
  io::check_text_target(given_.table);
  session_.report().add_output(given_.table);
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
  std::vector<std::string> outputs{out_,         given_.mask_out, given_.labels_out,
                                   given_.table, given_.overlay,  given_.evolution};
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
  const Control stop{.stop = session_.control().stop};
  if (!given_.overlay.empty()) canvas_.emplace(image, overlay_side, given_.window, stop);
  if (needs_evolution() && !is_text_of_evolution(given_.evolution)) {
    film_canvas_.emplace(image, film_side, given_.window, stop);
  }
}

void SegmentOutputs::write_objects(io::Writer& writer, PixelType type,
                                   std::span<const LabelledRegion> objects) {
  const Description whole = whole_image(image_, place_, type);
  const SlabPlan plan = plan_slabs(whole.shape, padded_bytes(slab_step(whole)));
  for_each_slab(session_, plan, [&](std::int64_t begin, std::int64_t end, const Control& control) {
    Description part = whole;
    part.shape.y = end - begin;
    Image slab = Image::allocate(part);
    place_.fill(objects, image_.shape, slab, begin, {.stop = control.stop});
    writer.append(slab, control);
  });
}

void SegmentOutputs::write_film(const std::vector<EvolutionFrame>& evolution) {
  Description film = film_canvas_->description();
  const auto frames = static_cast<std::int64_t>(evolution.size());
  film.shape.z = frames + frames_held;
  io::Writer writer(given_.evolution, film, session_.write_options(given_.evolution));
  const Control stop{.stop = session_.control().stop};
  for (std::int64_t i = 0; i < film.shape.z; ++i) {
    const auto index = static_cast<std::size_t>(std::min(i, frames - 1));
    session_.control().step(0.99);
    writer.append(frames == 0 ? film_canvas_->with({}, stop)
                              : film_canvas_->with(evolution[index].curves, {}, stop));
  }
  writer.finish();
}

void SegmentOutputs::write_pictures(const FindResult& found,
                                    const std::vector<EvolutionFrame>& evolution) {
  const Control stop{.stop = session_.control().stop};
  if (canvas_) {
    // Open curves cover nothing, and have no numbers.
    const Image picture = given_.find.edge.snake.open
                              ? canvas_->with(curves_of(found), found.starts, stop)
                              : canvas_->with_numbers(objects_of(found), found.starts, stop);
    io::write(given_.overlay, picture, session_.write_options(given_.overlay));
  }
  canvas_.reset();
  if (film_canvas_) {
    write_film(evolution);
  } else if (needs_evolution()) {
    io::write_text(given_.evolution,
                   fmt::format("{{\"image\":{},\"frames\":{}}}\n",
                               io::description_json(whole_image(image_, place_, image_.type)),
                               evolution_as_json(in_whole(evolution, place_), stop)));
  }
  film_canvas_.reset();
}

void SegmentOutputs::write_beside(std::span<const LabelledRegion> objects,
                                  const FindResult& whole) {
  if (mask_) {
    write_objects(*mask_, PixelType::u8, objects);
    mask_->finish();
  }
  if (labels_) {
    write_objects(*labels_, PixelType::u16, objects);
    labels_->finish();
  }
  if (!given_.table.empty()) {
    io::write_text(given_.table, table_of(whole, spacing_of_results(given_, image_.spacing),
                                          {.stop = session_.control().stop}));
  }
}

void SegmentOutputs::write_out(std::span<const LabelledRegion> objects, const FindResult& whole) {
  if (out_mask_ != nullptr) {
    write_objects(*out_mask_, PixelType::u8, objects);
    session_.finish_out();
    return;
  }
  io::write_text(out_, outline_file_of(out_, whole,
                                       {.model = given_.find.model,
                                        .image = place_.whole,
                                        .spacing = spacing_of_results(given_, image_.spacing)},
                                       {.stop = session_.control().stop}));
}

void SegmentOutputs::check(const FindResult& found) const { check_number_of_outlines(out_, found); }

void SegmentOutputs::write(const FindResult& found, const std::vector<EvolutionFrame>& evolution,
                           const Image& image) {
  const std::vector<LabelledRegion> objects = objects_of(found);
  const FindResult whole = place_.in_whole(found);
  session_.report().timed("write", [&] {
    write_pictures(found, evolution);
    // Without an outline of a region there was nothing to move, and no stage.
    if (stages_ && !found.edge->outlines.empty()) {
      stages_->write(image, found, {.stop = session_.control().stop});
      for (const std::string& file : stages_->files()) session_.report().add_output(file);
    }
    write_beside(objects, whole);
    write_out(objects, whole);
  });
}

}  // namespace meander::app
