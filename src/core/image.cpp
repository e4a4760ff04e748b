// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/image.hpp"

#include <cstdint>
#include <limits>

#include "core/image_state.hpp"
#include "core/message.hpp"
#include "core/parallel_for.hpp"
#include "engine/registry.hpp"
#include "meander/device.hpp"

namespace meander {
namespace {

constexpr std::int64_t row_alignment = 64;
// Rows that lie a multiple of this apart take the same few places of a cache.
constexpr std::int64_t cache_way = 4096;

std::int64_t checked_product(std::int64_t a, std::int64_t b, const Shape& shape) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) {
    throw InvalidArgument(
        message("an image of ", to_string(shape), " has more bytes than can be addressed"));
  }
  return product;
}

Pitch pitch_with_rows_of(std::int64_t row, const Description& description) {
  const std::int64_t slice = checked_product(row, description.shape.y, description.shape);
  return {row, slice, checked_product(slice, description.shape.z, description.shape)};
}

/// Moves slices and channels apart where they would take the same places of a cache: what a step
/// looks at along z and in all channels has to stay there together.
Pitch apart_in_caches(Pitch pitch, const Description& description) {
  const Shape& shape = description.shape;
  if (shape.z > 1 && pitch.slice % cache_way == 0) pitch.slice += 5 * row_alignment;
  pitch.channel = checked_product(pitch.slice, shape.z, shape);
  if (description.channels > 1 && pitch.channel % cache_way == 0) pitch.channel += row_alignment;
  return pitch;
}

bool outside(std::int64_t index, std::int64_t end) { return index < 0 || index >= end; }

Image with_state(detail::ImageState state) {
  return Image(std::make_shared<const detail::ImageState>(std::move(state)));
}

void check_wrapped_pitch(const void* pixels, const Description& description, const Pitch& pitch) {
  const auto size = static_cast<std::int64_t>(size_of(description.type));
  const Shape& shape = description.shape;
  const bool aligned =
      pitch.row % size == 0 && pitch.slice % size == 0 && pitch.channel % size == 0 &&
      reinterpret_cast<std::uintptr_t>(pixels) % static_cast<std::uintptr_t>(size) == 0;
  const bool apart = (shape.y == 1 || pitch.row >= shape.x * size) &&
                     (shape.z == 1 || pitch.slice >= shape.y * pitch.row) &&
                     (description.channels == 1 || pitch.channel >= shape.z * pitch.slice);
  if (pixels == nullptr || !aligned || !apart) {
    throw InvalidArgument(message("wrapped pixels of ", to_string(shape), " with pitch ", pitch.row,
                                  ", ", pitch.slice, ", ", pitch.channel,
                                  " are null, unaligned or overlap; expected multiples of ", size,
                                  " bytes that keep rows, slices and channels apart"));
  }
}

}  // namespace

std::string to_string(const Shape& shape) {
  std::string text = std::to_string(shape.x) + "x" + std::to_string(shape.y);
  if (shape.z != 1) text += "x" + std::to_string(shape.z);
  return text;
}

std::int64_t Description::numbers() const {
  if (shape.x < 1 || shape.y < 1 || shape.z < 1 || channels < 1) {
    throw InvalidArgument(message("an image of ", to_string(shape), " with ", channels,
                                  " channels is empty; every extent must be at least 1"));
  }
  const std::int64_t pixels =
      checked_product(checked_product(shape.x, shape.y, shape), shape.z, shape);
  return checked_product(pixels, channels, shape);
}

std::int64_t Description::bytes() const {
  return checked_product(numbers(), static_cast<std::int64_t>(size_of(type)), shape);
}

Pitch packed_pitch(const Description& description) {
  const auto size = static_cast<std::int64_t>(size_of(description.type));
  return pitch_with_rows_of(checked_product(description.shape.x, size, description.shape),
                            description);
}

Pitch padded_pitch(const Description& description) {
  const std::int64_t row = packed_pitch(description).row;
  if (row > std::numeric_limits<std::int64_t>::max() - row_alignment) {
    throw InvalidArgument(
        message("an image of ", to_string(description.shape), " cannot be addressed"));
  }
  std::int64_t padded = (row + row_alignment - 1) / row_alignment * row_alignment;
  if (padded % cache_way == 0) padded += row_alignment;
  return apart_in_caches(pitch_with_rows_of(padded, description), description);
}

std::int64_t padded_bytes(const Description& description) {
  description.numbers();  // refuses empty images
  return checked_product(padded_pitch(description).channel, description.channels,
                         description.shape);
}

Image Image::wrap(void* pixels, const Description& description, const Pitch& pitch,
                  std::shared_ptr<void> owner) {
  description.bytes();  // refuses empty and unaddressable images
  check_wrapped_pitch(pixels, description, pitch);
  auto memory = std::shared_ptr<engine::Memory>(
      new engine::Memory{static_cast<std::byte*>(pixels), nullptr, 0},
      [owner](engine::Memory* block) { delete block; });
  engine::View view{.memory = std::move(memory),
                    .offset = 0,
                    .type = description.type,
                    .shape = description.shape,
                    .channels = description.channels,
                    .pitch = pitch};
  return with_state(
      {.description = description, .backend = engine::host_backend(), .view = std::move(view)});
}

Image Image::allocate(const Description& description) {
  return Device(engine::host_backend()).allocate(description);
}

const detail::ImageState& Image::state() const {
  if (!state_) throw InvalidArgument("an empty Image was used");
  return *state_;
}

const Description& Image::description() const { return state().description; }
const Pitch& Image::pitch() const { return state().view.pitch; }
Device Image::device() const { return Device(state().backend); }

Image Image::download(const Control& control) const {
  detail::ImageState host = state();
  control.step(0);
  host.backend->finish();
  if (host.backend->uses_host_memory()) {
    host.backend = engine::host_backend();
    return with_state(std::move(host));
  }
  Image copy = allocate(host.description);
  const StopScope scope(control.stop);
  host.backend->read(host.view, copy.state().view);
  control.step(1);
  return copy;
}

Image Image::clone(const Control& control) const {
  control.step(0);
  Image copy = device().allocate(description());
  const StopScope scope(control.stop);
  state().backend->convert(state().view, copy.state().view, {});
  control.step(1);
  return copy;
}

Image Image::with_spacing(const Spacing& spacing) const {
  detail::ImageState changed = state();
  changed.description.spacing = spacing;
  return with_state(std::move(changed));
}

Image Image::channel(int index) const {
  detail::ImageState part = state();
  if (outside(index, part.description.channels)) {
    throw InvalidArgument(
        message("channel ", index, " of an image that has ", part.description.channels));
  }
  part.view.offset += index * part.view.pitch.channel;
  part.view.channels = part.description.channels = 1;
  return with_state(std::move(part));
}

Image Image::slices(std::int64_t begin, std::int64_t end) const {
  detail::ImageState part = state();
  if (outside(begin, part.view.shape.z) || end <= begin || end > part.view.shape.z) {
    throw InvalidArgument(
        message("slices ", begin, " to ", end, " of an image that has ", part.view.shape.z));
  }
  part.view.offset += begin * part.view.pitch.slice;
  part.view.shape.z = part.description.shape.z = end - begin;
  return with_state(std::move(part));
}

Image Image::rows(std::int64_t begin, std::int64_t end) const {
  detail::ImageState part = state();
  if (outside(begin, part.view.shape.y) || end <= begin || end > part.view.shape.y) {
    throw InvalidArgument(
        message("rows ", begin, " to ", end, " of an image that has ", part.view.shape.y));
  }
  part.view.offset += begin * part.view.pitch.row;
  part.view.shape.y = part.description.shape.y = end - begin;
  return with_state(std::move(part));
}

const std::byte* Image::row_bytes(std::int64_t y, std::int64_t z, int channel) const {
  return host_row(type(), y, z, channel);
}

std::byte* Image::mutable_row_bytes(std::int64_t y, std::int64_t z, int channel) {
  return host_row(type(), y, z, channel);
}

std::byte* Image::host_row(PixelType type, std::int64_t y, std::int64_t z, int channel) const {
  const engine::View& view = state().view;
  if (type != view.type) {
    throw InvalidArgument(
        message("pixels of type ", name_of(view.type), " were asked for as ", name_of(type)));
  }
  if (view.memory->host == nullptr) {
    throw InvalidArgument(
        message("pixels on ", state_->backend->info().name, " cannot be reached; download them"));
  }
  if (outside(y, view.shape.y) || outside(z, view.shape.z) || outside(channel, view.channels)) {
    throw InvalidArgument(message("row ", y, " of slice ", z, " of channel ", channel,
                                  " is outside an image of ", to_string(view.shape)));
  }
  return view.memory->host + view.offset + y * view.pitch.row + z * view.pitch.slice +
         channel * view.pitch.channel;
}

Field::Field(Image components) : components_(std::move(components)) {
  if (components_.channels() != components_.shape().rank()) {
    throw InvalidArgument(message("a field over ", components_.shape().rank(),
                                  " axes needs as many components, found ",
                                  components_.channels()));
  }
}

}  // namespace meander
