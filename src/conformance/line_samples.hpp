// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "conformance/samples.hpp"
#include "core/image_state.hpp"
#include "engine/scan.hpp"
#include "meander/pixel.hpp"

namespace meander::conformance {

// What the checks of the engines that work along lines share.

inline constexpr engine::Axis all_axes[] = {engine::Axis::x, engine::Axis::y, engine::Axis::z};
inline constexpr Border all_borders[] = {Border::clamp, Border::constant, Border::reflect,
                                         Border::mirror, Border::periodic};
inline constexpr double border_constant = -250.5;

struct TypePair {
  PixelType in, out;
};
/// The types that scan and FIR read and write, as far as the device has them.
std::vector<TypePair> line_types(const Device& device);
/// f32 and, where the device has it, f64.
std::vector<PixelType> real_types(const Device& device);

/// `sample_descriptions`, and a volume whose inside is two pixels long along y and z.
std::vector<Description> line_descriptions(PixelType type);
/// Finite values within ±largest, or what the type can hold of them.
Image line_image(const Description& description, double largest = 1000);
/// An image of the same size to be written into: what it holds shows where nothing was written.
Image blank_for(const Image& image, PixelType type);
/// The largest magnitude among the pixels and the border's constant.
double range_of(const Image& host);

inline const engine::View& view_of(const Image& image) { return image.state().view; }

/// Calls run(backend, in, out) with views inside copies of the host images on the device; returns
/// the whole of the second copy, so that a write beyond the view is a difference.
template <class Run>
Image outcome_on(const Device& device, const Image& in, const Image& blank, Run run) {
  const Image from = device.upload(in).clone();
  const Image to = device.upload(blank).clone();
  run(device.backend(), view_of(inside(from)), view_of(inside(to)));
  return to.download();
}
template <class Run>
Image outcome_in_place_on(const Device& device, const Image& in, Run run) {
  const Image image = device.upload(in).clone();
  run(device.backend(), view_of(inside(image)), view_of(inside(image)));
  return image.download();
}

/// How many 8-byte words of two host images differ: sums of integers are no doubles.
double different_words(const Image& a, const Image& b);

void raise(Deviation& found, double deviation);

/// Stable recurrences of every form and number of states, made from a few poles, with matrices that
/// no filter would have: they are data, and a wrong place must show. Rounded to `type`, so that
/// every device starts from the same numbers.
std::vector<engine::Recurrence> sample_recurrences(PixelType type);

/// The same with a border. Warm-ups, where there are any, take turns; some are longer than lines.
engine::Recurrence with_border(engine::Recurrence recurrence, Border border, std::size_t turn);

}  // namespace meander::conformance
