// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "meander/device.hpp"
#include "meander/verify.hpp"

/// One conformance source per engine; the program's `verify` and the tests run the same cases.
namespace meander::conformance {

/// Sizes chosen to hurt: single pixels, primes, rows longer than a reduction chunk, volumes,
/// channels.
std::vector<Description> sample_descriptions(PixelType type);

/// Deterministic values over the whole range of the type; floats include both zeros, subnormals,
/// ties, values beyond the integer types and, if asked for, NaN and infinities.
Image sample_image(const Description& description, bool with_nonfinite);

/// The inside of an image with a frame of one row and, in volumes, one slice: pitch without the
/// frame's excuse, and an offset into the memory.
Image inside(const Image& image);

/// Largest |a - b| of two host images, 0 for two NaN or equal infinities, infinity for one of them.
double largest_difference(const Image& a, const Image& b);

Deviation check_copy(const Device& device, PixelType type);
Deviation check_identity(const Device& device, PixelType from);
Deviation check_affine(const Device& device, PixelType from);
std::vector<Deviation> check_reduce(const Device& device, PixelType type);
std::vector<Deviation> check_scan(const Device& device);
Deviation check_scan_pieces(const Device& device, PixelType type);
Deviation check_scan_states(const Device& device, PixelType type);
std::vector<Deviation> check_fir(const Device& device);
Deviation check_prefix(const Device& device, PixelType type);
Deviation check_pointwise(const Device& device, PixelType type);
std::vector<Deviation> check_stencil(const Device& device, PixelType type);
std::vector<Deviation> check_narrow_stencil(const Device& device);
Deviation check_relax(const Device& device, PixelType type);
Deviation check_apply(const Device& device, PixelType type);
std::vector<Deviation> check_transfer(const Device& device, PixelType type);
std::vector<Deviation> check_contour(const Device& device, PixelType type);
Deviation check_snake(const Device& device);

}  // namespace meander::conformance
