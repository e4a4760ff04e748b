// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>
#include <utility>

#include "io/file/named_errors.hpp"
#include "io/format.hpp"
#include "io/image/placement.hpp"
#include "io/image/volume_header.hpp"

namespace meander::io {
namespace {

void check_spacing(const std::filesystem::path& path, const Spacing& spacing) {
  for (const double step : {spacing.x, spacing.y, spacing.z}) {
    if (std::isfinite(step) && step > 0) continue;
    throw InvalidArgument(
        message(path.string(), ": found spacing ", step, ", expected a positive number"));
  }
}

void check_options(const std::filesystem::path& path, const Format& format,
                   const WriteOptions& options) {
  if (options.film.frames < 1) {
    throw InvalidArgument(message(path.string(), ": found a film of ", options.film.frames,
                                  " frames, expected at least 1"));
  }
  if (options.film.frames > 1 && !format.films) {
    throw Unsupported(message(path.string(), ": ", format.name, " cannot hold a film of ",
                              options.film.frames, " frames"));
  }
  const bool is_compressed_anyway = lower_case(path.extension().string()) == ".gz";
  if (options.compress && !format.compresses && !is_compressed_anyway) {
    throw Unsupported(message(path.string(), ": ", format.name,
                              " is not written compressed, expected NRRD or MetaImage"));
  }
}

std::unique_ptr<Writer::Sink> create(const std::filesystem::path& path,
                                     const Description& description, const WriteOptions& options) {
  std::int64_t all = description.bytes();  // refuses empty and unaddressable images
  check_spacing(path, description.spacing);
  if (description.placement && !is_regular(*description.placement)) {
    throw InvalidArgument(
        message(path.string(),
                ": found a placement without three ways through space, expected finite "
                "steps that are not in one plane"));
  }
  const FormatEntry& entry = format_of_suffix(path);
  if (!can_hold(path, description.type)) {
    std::string types;
    for (const PixelType type : entry.format.types) types.append(" ").append(name_of(type));
    throw Unsupported(message(path.string(), ": ", entry.format.name, " cannot hold ",
                              name_of(description.type), " pixels, expected one of", types));
  }
  check_options(path, entry.format, options);
  if (__builtin_mul_overflow(all, options.film.frames, &all)) {
    throw InvalidArgument(message(path.string(), ": found a film of ", options.film.frames,
                                  " frames, expected less than 2^63 bytes in all"));
  }
  return entry.create(AtomicFile(path), description, options);
}

/// What is left to append once `done` has been, to compare a slab with.
void check_slab(const Writer::Sink& sink, const Description& slab) {
  const Shape& whole = sink.description.shape;
  const bool volume = whole.z > 1;
  const std::int64_t length = volume ? slab.shape.z : slab.shape.y;
  const bool fits = sink.done < sink.length() && slab.shape.x == whole.x &&
                    slab.channels == sink.description.channels &&
                    slab.type == sink.description.type &&
                    (volume ? slab.shape.y == whole.y : slab.shape.z == 1) &&
                    length <= slab_length(whole) - sink.done % slab_length(whole);
  if (fits) return;
  throw InvalidArgument(message(sink.file.path().string(), ": a slab of ", to_string(slab.shape),
                                " with ", slab.channels, " channels of ", name_of(slab.type),
                                " does not continue an image of ", to_string(whole), " with ",
                                sink.description.channels, " channels of ",
                                name_of(sink.description.type), " at ", sink.done));
}

}  // namespace

Writer::Writer(const std::filesystem::path& path, const Description& description,
               const WriteOptions& options) try
    : sink_(create(path, description, options)) {
} catch (Error& error) {
  name_file(error, path);
}
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;
Writer::~Writer() = default;

void Writer::append(const Image& slab, const Control& control) {
  if (!sink_) throw LogicError("a slab was appended to a file that is complete or has failed");
  const std::filesystem::path path = sink_->file.path();
  try {
    check_slab(*sink_, slab.description());
    // A sink that threw has written a part of the slab; letting it go keeps the file from being
    // taken up.
    std::unique_ptr<Sink> sink = std::move(sink_);
    Progress progress(control, slab.description().bytes());
    sink->append(slab, progress);
    sink->done += sink->description.shape.z > 1 ? slab.shape().z : slab.shape().y;
    sink_ = std::move(sink);
  } catch (Error& error) {
    name_file(error, path);
    throw;
  }
}

void Writer::finish() {
  if (!sink_) throw LogicError("a file was finished that is complete or has failed");
  const std::int64_t length = sink_->length();
  if (sink_->done != length) {
    throw LogicError(message(sink_->file.path().string(), ": finished after ", sink_->done, " of ",
                             length, " rows or slices"));
  }
  const std::unique_ptr<Sink> sink = std::move(sink_);
  try {
    sink->complete();
    sink->file.commit();
  } catch (Error& error) {
    name_file(error, sink->file.path());
    throw;
  }
}

void write(const std::filesystem::path& path, const Image& image, const WriteOptions& options,
           const Control& control) {
  Writer writer(path, image.description(), options);
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
