// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "meander/border.hpp"
#include "meander/control.hpp"
#include "meander/device.hpp"
#include "meander/image.hpp"
#include "meander/options.hpp"
#include "meander/precision.hpp"
#include "meander/work.hpp"

/// Gaussian smoothing and Gaussian derivatives of images of one to three axes, at a cost that does
/// not depend on the scale.
namespace meander {

/// How a Gaussian is applied along a line. `automatic` takes the cheapest that keeps the error
/// bound.
enum class SmoothMethod : std::uint8_t {
  automatic,
  fir,      ///< The sampled Gaussian itself, cut off where it no longer counts; cost grows with σ.
  yvv1995,  ///< Young & van Vliet 1995, order 3.
  yvv2002,  ///< Young, van Vliet & van Ginkel 2002, order 3.
  vanvliet3,  ///< van Vliet, Young & Verbeek 1998, orders 3 to 5; exact variance.
  vanvliet4,
  vanvliet5,
  deriche,       ///< Deriche's order 4 with the coefficients ITK uses.
  exponential4,  ///< Sums of damped cosines fitted to the Gaussian, orders 4, 6 and 8.
  exponential6,
  exponential8
};
template <>
struct ChoiceNames<SmoothMethod> {
  static constexpr std::pair<SmoothMethod, std::string_view> values[] = {
      {SmoothMethod::automatic, "auto"},
      {SmoothMethod::fir, "fir"},
      {SmoothMethod::yvv1995, "yvv1995"},
      {SmoothMethod::yvv2002, "yvv2002"},
      {SmoothMethod::vanvliet3, "vanvliet3"},
      {SmoothMethod::vanvliet4, "vanvliet4"},
      {SmoothMethod::vanvliet5, "vanvliet5"},
      {SmoothMethod::deriche, "deriche"},
      {SmoothMethod::exponential4, "exponential4"},
      {SmoothMethod::exponential6, "exponential6"},
      {SmoothMethod::exponential8, "exponential8"}};
};

/// What is computed: the smoothed image, or what its derivatives make up; see `smooth`.
enum class SmoothOutput : std::uint8_t { image, gradient, magnitude, hessian, laplacian };
template <>
struct ChoiceNames<SmoothOutput> {
  static constexpr std::pair<SmoothOutput, std::string_view> values[] = {
      {SmoothOutput::image, "image"},
      {SmoothOutput::gradient, "gradient"},
      {SmoothOutput::magnitude, "magnitude"},
      {SmoothOutput::hessian, "hessian"},
      {SmoothOutput::laplacian, "laplacian"}};
};

/// What becomes of NaN and infinities.
enum class Nonfinite : std::uint8_t {
  propagate,  ///< They spread: with a recursion over the rest of their lines.
  ignore,     ///< Left out of the average (normalised convolution) and filled from around them.
  error       ///< Refused.
};
template <>
struct ChoiceNames<Nonfinite> {
  static constexpr std::pair<Nonfinite, std::string_view> values[] = {
      {Nonfinite::propagate, "propagate"},
      {Nonfinite::ignore, "ignore"},
      {Nonfinite::error, "error"}};
};

/// A scale for each axis, in pixels or in a physical unit; x first. In text: "12", "1.5um",
/// "2,2,1px"; one number stands for all axes, two leave z alone.
struct Scale {
  std::array<double, 3> value{12, 12, 12};  ///< x, y and z; 0 leaves an axis alone.
  Unit unit = Unit::pixel;                  ///< Of all three.
  Scale() = default;
  Scale(double all, Unit in = Unit::pixel) : value{all, all, all}, unit(in) {}  ///< For all axes.
  /// Axis by axis; a z of 0 leaves slices alone.
  Scale(double x, double y, double z = 0, Unit in = Unit::pixel) : value{x, y, z}, unit(in) {}
  friend bool operator==(const Scale&, const Scale&) = default;
};
template <>
struct OptionText<Scale> {
  static Scale parse(std::string_view text);
  static std::string format(const Scale& value);
  static std::string syntax() {
    return "S, X,Y or X,Y,Z, with a unit (px, nm, um, mm, cm, m) or without";
  }
};
/// Found by argument-dependent lookup from `validate`.
inline void check_range(const Scale& scale, const OptionInfo& info) {
  detail::check_range(scale.value, info);
}

/// A small integer for each axis, x first; one stands for all axes, two leave 0 for z.
template <>
struct OptionText<std::array<int, 3>> {
  static std::array<int, 3> parse(std::string_view text);
  static std::string format(const std::array<int, 3>& value);
  static std::string syntax() { return "N, X,Y or X,Y,Z"; }
};

/// What is computed, and how.
struct SmoothOptions {
  Scale sigma;
  std::array<int, 3> order{0, 0, 0};
  SmoothMethod method = SmoothMethod::automatic;
  BorderRule border;
  double error_bound = 1e-3;
  Precision precision = Precision::float32;
  SmoothOutput output = SmoothOutput::image;
  Nonfinite nonfinite = Nonfinite::propagate;

  template <class Visitor>
  void describe(Visitor& v) {
    v(sigma,
      {.name = "sigma",
       .min = 0,
       .max = 1e5,
       .help = "standard deviation for each axis; 0 leaves an axis alone, and two numbers leave z "
               "alone"});
    v(order, {.name = "order",
              .min = 0,
              .max = 2,
              .help = "order of the derivative along each axis, per unit of the image's spacing"});
    v(method, {.name = "method", .help = "how the Gaussian is applied along a line"});
    v(border, {.name = "border", .help = "how the image goes on beyond its borders"});
    v(error_bound,
      {.name = "error-bound",
       .min = 1e-6,
       .max = 1,
       .help = "largest error of the impulse response along an axis, of its peak, that "
               "the method auto may make"});
    v(precision,
      {.name = "precision",
       .help = "arithmetic and intermediate images; f64 images are always done in double"});
    v(output,
      {.name = "output", .help = "what to compute; all but image set the orders themselves"});
    v(nonfinite, {.name = "nonfinite", .help = "what becomes of NaN and infinities"});
  }
};

/// What one axis gets.
struct SmoothAxis {
  double sigma = 0;  ///< Pixels; 0: the axis is left alone.
  int order = 0;     ///< Of the derivative, 0 to 2.
  SmoothMethod method =
      SmoothMethod::automatic;  ///< As chosen; `automatic` for an axis left alone.
  double error = 0;  ///< Largest error of its impulse response, of the peak, in exact arithmetic.
};

/// What `smooth` would do with such an image: axis by axis (x first) for every derivative that the
/// output needs.
struct SmoothPlan {
  std::vector<std::array<SmoothAxis, 3>> components;  ///< One for each derivative.
  Description output;                                 ///< What the result is.
};

/// Throws InvalidArgument for a σ in a unit when the image's spacing has none, for orders together
/// with an output other than image, and for values out of range.
SmoothPlan plan_smooth(const Description& image, const SmoothOptions& options,
                       const Description* mask = nullptr);

/// What may be given beside the image.
struct SmoothInputs {
  Image mask;  ///< One channel, of the image's shape and on its device; empty: none.
};

/// The smoothed image or its derivatives: f32, or f64 with double precision or for f64 images. Axes
/// are done slowest first; an image with z = 1 has no z axis, a single row no y axis either.
/// Derivatives are per unit of the image's spacing, which is a pixel when it has none. `gradient`
/// has a channel for each axis (x, y, z), `hessian` one for each pair (2-D: xx, xy, yy; 3-D: xx,
/// xy, xz, yy, yz, zz), for each channel of the input in turn. With `mask` (one channel, of the
/// image's shape, same device) pixels where it is 0 neither contribute nor change; others are
/// averaged over the mask only, whatever its values above 0 (floats: above 2^-20). What is not
/// finite never contributes then: it stays, or is filled with Nonfinite::ignore. Pixels near which
/// nothing contributes keep what they hold. Beyond a constant border the constant contributes. A
/// mask and Nonfinite::ignore are for output `image` of order 0.
///
/// Cost: one pass of recursion per axis and component, about 2 bytes read and written for each byte
/// of the result; no σ makes it slower. Throws Unsupported for float64 on a device without it.
Image smooth(const Image& image, const SmoothOptions& options, const SmoothInputs& inputs = {},
             const Control& control = {});

/// Bytes of device memory that smoothing such an image holds at its peak, input (and mask)
/// included.
std::int64_t estimate_bytes(const Description& image, const SmoothOptions& options,
                            const Device& device, const Description* mask = nullptr);
/// For Device::for_work: from the image to the result, both in host memory.
Work estimate_work(const Description& image, const SmoothOptions& options,
                   const Description* mask = nullptr);

/// An image too large for memory passes through in slabs (see io::Reader): `read` gives slices
/// (rows of a 2-D image) [begin, end) and may be asked for any part any number of times; `write`
/// gets the result in order. The result is the same, to the bit, as of `smooth` on the whole.
struct SmoothStream {
  Description image;  ///< What passes through.
  /// Gives a part, again if asked.
  std::function<Image(std::int64_t begin, std::int64_t end)> read;
  std::function<Image(std::int64_t begin, std::int64_t end)> read_mask;  ///< Empty: no mask.
  std::function<void(const Image& slab)> write;  ///< Gets the result in order.
  std::filesystem::path
      spill_folder;               ///< Where the unnamed temporary file lies while it is needed.
  std::int64_t memory_bytes = 0;  ///< What slabs and states may take of device memory together.
};
/// Throws OutOfMemory, with the need, when the budget does not hold one slice and its states.
/// Returns the seconds spent on the temporary file.
double smooth_stream(const SmoothStream& stream, const SmoothOptions& options, const Device& device,
                     const Control& control = {});

/// How `smooth_stream` cuts an image, with the same budget and the same errors.
struct SmoothSlabs {
  std::int64_t height = 0;       ///< Slices or rows in a slab; the last may have fewer.
  std::int64_t slabs = 0;        ///< How many there are.
  std::int64_t bytes = 0;        ///< Of device memory, at most.
  std::int64_t spill_bytes = 0;  ///< Of the temporary file; 0 where none is needed.
};
/// The cut; nothing is read or written.
SmoothSlabs plan_smooth_slabs(const SmoothStream& stream, const SmoothOptions& options,
                              const Device& device);

}  // namespace meander
