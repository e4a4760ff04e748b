// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "meander/control.hpp"
#include "meander/pixel.hpp"

namespace meander {

class Device;
namespace detail {
struct ImageState;
}

/// Extent in pixels. x is the fastest axis; an image with z = 1 is two-dimensional.
struct Shape {
  std::int64_t x = 1;  ///< Columns.
  std::int64_t y = 1;  ///< Rows.
  std::int64_t z = 1;  ///< Slices.
  friend bool operator==(const Shape&, const Shape&) = default;
  int rank() const { return z > 1 ? 3 : 2; }  ///< Axes: 2 or 3.
};

/// "512x512" or "512x512x128", x first.
std::string to_string(const Shape& shape);

/// In which lengths are measured.
enum class Unit : std::uint8_t { pixel, nanometre, micrometre, millimetre, centimetre, metre };

/// "px", "nm", "um", "mm", "cm" or "m".
std::string_view name_of(Unit unit);
/// Understands the names above and the spellings ImageJ and OME use ("µm", "micron", "pixel", …).
std::optional<Unit> unit_named(std::string_view name);
/// Metres per unit; 0 for pixels, which have no physical size.
double metres_per(Unit unit);

/// Physical size of a pixel along each axis, in `unit`.
struct Spacing {
  double x = 1;             ///< From a column to the next.
  double y = 1;             ///< From a row to the next.
  double z = 1;             ///< From a slice to the next.
  Unit unit = Unit::pixel;  ///< Of all three.
  friend bool operator==(const Spacing&, const Spacing&) = default;
};

/// Which way the axes of the world point. ras: to the right, front and top of a patient; lps: to
/// the left, back and top; las: to the left, front and top. Scanners, microscopes and files that
/// say nothing have axes of their own.
enum class WorldAxes : std::uint8_t { unnamed, ras, lps, las, scanner, right_handed, left_handed };

/// "ras", "lps", "las", "scanner", "right-handed", "left-handed" or "unnamed".
std::string_view name_of(WorldAxes axes);

/// Where the world's origin and axes come from, as NIfTI numbers it.
enum class WorldOrigin : std::uint8_t { unknown, scanner, aligned, talairach, mni152, other };

/// Where an image lies in the world: the centre of pixel (i, j, k) is at
/// origin + i step[0] + j step[1] + k step[2], in the spacing's unit. Steps may be at any angle to
/// each other; what they measure is the spacing. Images of two axes have a step[2] too.
struct Placement {
  using Vector = std::array<double, 3>;  ///< x, y and z of the world.
  Vector origin = {0, 0, 0};             ///< Centre of pixel (0, 0, 0).
  /// From a pixel to the next along x, y and z.
  std::array<Vector, 3> step = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  WorldAxes axes = WorldAxes::unnamed;      ///< What x, y and z of the world are.
  WorldOrigin from = WorldOrigin::unknown;  ///< What the origin is.
  friend bool operator==(const Placement&, const Placement&) = default;

  /// The placement of the part that starts at pixel (x, y, z).
  Placement moved_to(std::int64_t x, std::int64_t y, std::int64_t z) const;
  /// The same in axes that point another way: mirrored where both kinds are named ras, lps or las;
  /// others are taken for lps, as ITK does.
  Placement in_axes(WorldAxes wanted) const;
  /// The same with all lengths `factor` times as large, for another unit.
  Placement scaled(double factor) const;
  /// Where the image's axes x, y and z lead to, each to what it follows most: three letters, of
  /// right and left, anterior and posterior, superior and inferior, as "RAS" or "LPS"; where the
  /// world's axes have no such names, their own with a sign, as "+x-y+z".
  std::string orientation() const;
};

/// Everything about an image but its pixels. The placement is that of the whole image, for its
/// slabs and views too; a part read through io::ReadOptions::roi has its own.
struct Description {
  Shape shape;                                        ///< Extent, in pixels.
  int channels = 1;                                   ///< Planes of numbers, from 1 on.
  PixelType type = PixelType::f32;                    ///< Of each number.
  Spacing spacing;                                    ///< Size of a pixel.
  std::optional<Placement> placement = std::nullopt;  ///< None where nothing is known.
  friend bool operator==(const Description&, const Description&) = default;

  /// Numbers and bytes without padding. Throw InvalidArgument when an extent is below 1 or the
  /// product leaves 63 bits, so that no later size computation can overflow.
  std::int64_t numbers() const;
  std::int64_t bytes() const;  ///< Of all numbers.
};

/// Distances in bytes between neighbouring rows, slices and channel planes. x has no gaps.
struct Pitch {
  std::int64_t row = 0;      ///< From a row to the next.
  std::int64_t slice = 0;    ///< From a slice to the next.
  std::int64_t channel = 0;  ///< From a channel to the next.
  friend bool operator==(const Pitch&, const Pitch&) = default;
};

/// The pitch without padding, and the one that devices allocate: rows on 64-byte
/// boundaries, but not a multiple of 4096 bytes apart, where caches would thrash.
Pitch packed_pitch(const Description& description);
/// The one with padding.
Pitch padded_pitch(const Description& description);
/// Bytes that a device allocates for such an image.
std::int64_t padded_bytes(const Description& description);

/// A handle to pixels on a device. Copying a handle is cheap and shares the pixels; `clone` copies
/// them. Channels are planar: each is a contiguous sequence of slices. Pixels of a host image
/// (device `cpu` or `reference`) can be reached through `row`; those written by an operation are
/// there once `download` has returned.
class Image {
 public:
  /// No image at all: `empty()` is true and nothing else may be asked.
  Image() = default;

  /// Uses memory of the caller's, which must outlive the handle and every copy (or be owned by
  /// `owner`). The image is on the `cpu` device. Any pitch that does not make rows overlap is fine.
  static Image wrap(void* pixels, const Description& description, const Pitch& pitch,
                    std::shared_ptr<void> owner = nullptr);
  /// Uninitialised pixels in host memory: `Device::open("cpu").allocate(description)`.
  static Image allocate(const Description& description);

  bool empty() const { return state_ == nullptr; }            ///< Whether there is no image.
  const Description& description() const;                     ///< All but the pixels.
  const Shape& shape() const { return description().shape; }  ///< In pixels.
  int channels() const { return description().channels; }     ///< Components of a pixel, from 1 on.
  PixelType type() const { return description().type; }       ///< Of its numbers.
  const Spacing& spacing() const { return description().spacing; }  ///< Size of a pixel.
  const Pitch& pitch() const;                                       ///< In bytes, with padding.
  Device device() const;                                            ///< Where the pixels are.

  /// The same pixels in host memory: waits for the device, then copies; shares them when they are
  /// in host memory already. With Device::upload the only copy between host and device.
  Image download(const Control& control = {}) const;
  /// An own copy of the pixels on the same device.
  Image clone(const Control& control = {}) const;
  /// The same pixels with another spacing.
  Image with_spacing(const Spacing& spacing) const;
  /// Views that share pixels: one channel; slices [begin, end); rows [begin, end) of every slice.
  Image channel(int index) const;
  Image slices(std::int64_t begin, std::int64_t end) const;  ///< Slices [begin, end).
  Image rows(std::int64_t begin, std::int64_t end) const;    ///< Of every slice.

  /// The first pixel of a row. T must be the C++ type of `type()` and the image in host memory.
  template <class T>
  const T* row(std::int64_t y, std::int64_t z = 0, int channel = 0) const {
    return reinterpret_cast<const T*>(host_row(pixel_type_of<T>(), y, z, channel));
  }
  /// Writing through one handle is seen through all that share the pixels.
  template <class T>
  T* mutable_row(std::int64_t y, std::int64_t z = 0, int channel = 0) {
    return reinterpret_cast<T*>(host_row(pixel_type_of<T>(), y, z, channel));
  }
  /// The same without a type, for code that only moves bytes.
  const std::byte* row_bytes(std::int64_t y, std::int64_t z = 0, int channel = 0) const;
  /// The same to be written.
  std::byte* mutable_row_bytes(std::int64_t y, std::int64_t z = 0, int channel = 0);

  /// For the library's own use.
  explicit Image(std::shared_ptr<const detail::ImageState> state) : state_(std::move(state)) {}
  const detail::ImageState& state() const;  ///< For the library's own use, as the constructor.

 private:
  std::byte* host_row(PixelType type, std::int64_t y, std::int64_t z, int channel) const;
  std::shared_ptr<const detail::ImageState> state_;
};

/// A vector per pixel: an image whose channels are the components x, y (and z).
class Field {
 public:
  Field() = default;
  /// Throws InvalidArgument unless there are as many channels as the image has axes (2 or 3).
  explicit Field(Image components);
  int dimensions() const { return components_.channels(); }  ///< 2 or 3.
  const Image& components() const { return components_; }    ///< A channel for each.
  /// Component 0 is x, 1 is y, 2 is z; shares the pixels.
  Image component(int index) const { return components_.channel(index); }

 private:
  Image components_;
};

}  // namespace meander
