// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>
#include <utility>

#include "io/format.hpp"

namespace meander::io {
namespace {

void check_spacing(const std::filesystem::path& path, const Spacing& spacing) {
  for (const double step : {spacing.x, spacing.y, spacing.z}) {
    if (std::isfinite(step) && step > 0) continue;
    throw InvalidArgument(
        message(path.string(), ": found spacing ", step, ", expected a positive number"));
  }
}

std::unique_ptr<Writer::Sink> create(const std::filesystem::path& path,
                                     const Description& description) {
  description.bytes();  // refuses empty and unaddressable images
  check_spacing(path, description.spacing);
  const FormatEntry& entry = format_of_suffix(path);
  if (!can_hold(path, description.type)) {
    std::string types;
    for (const PixelType type : entry.format.types) types.append(" ").append(name_of(type));
    throw Unsupported(message(path.string(), ": ", entry.format.name, " cannot hold ",
                              name_of(description.type), " pixels, expected one of", types));
  }
  return entry.create(AtomicFile(path), description);
}

/// What is left to append once `done` has been, to compare a slab with.
void check_slab(const Writer::Sink& sink, const Description& slab) {
  const Shape& whole = sink.description.shape;
  const bool volume = whole.z > 1;
  const std::int64_t length = volume ? slab.shape.z : slab.shape.y;
  const bool fits = slab.shape.x == whole.x && slab.channels == sink.description.channels &&
                    slab.type == sink.description.type &&
                    (volume ? slab.shape.y == whole.y : slab.shape.z == 1) &&
                    length <= slab_length(whole) - sink.done;
  if (fits) return;
  throw InvalidArgument(message(sink.file.path().string(), ": a slab of ", to_string(slab.shape),
                                " with ", slab.channels, " channels of ", name_of(slab.type),
                                " does not continue an image of ", to_string(whole), " with ",
                                sink.description.channels, " channels of ",
                                name_of(sink.description.type), " at ", sink.done));
}

}  // namespace

Writer::Writer(const std::filesystem::path& path, const Description& description)
    : sink_(create(path, description)) {}
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;
Writer::~Writer() = default;

void Writer::append(const Image& slab, const Control& control) {
  if (!sink_) throw LogicError("a slab was appended to a file that is complete or has failed");
  check_slab(*sink_, slab.description());
  // A sink that threw has written a part of the slab; letting it go keeps the file from being taken
  // up.
  std::unique_ptr<Sink> sink = std::move(sink_);
  Progress progress(control, slab.description().bytes());
  sink->append(slab, progress);
  sink->done += sink->description.shape.z > 1 ? slab.shape().z : slab.shape().y;
  sink_ = std::move(sink);
}

void Writer::finish() {
  if (!sink_) throw LogicError("a file was finished that is complete or has failed");
  const std::int64_t length = slab_length(sink_->description.shape);
  if (sink_->done != length) {
    throw LogicError(message(sink_->file.path().string(), ": finished after ", sink_->done, " of ",
                             length, " rows or slices"));
  }
  const std::unique_ptr<Sink> sink = std::move(sink_);
  sink->complete();
  sink->file.commit();
}

void write(const std::filesystem::path& path, const Image& image, const Control& control) {
  Writer writer(path, image.description());
  writer.append(image, control);
  writer.finish();
}

void write_text(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void check_text_target(const std::filesystem::path& path) { const AtomicFile trial(path); }

}  // namespace meander::io
