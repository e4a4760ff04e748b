// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "engine/reduce.hpp"
#include "meander/border.hpp"
#include "meander/flow.hpp"

namespace meander {

/// Everything about a call that does not depend on pixels. `is_field`: the input is V0 itself.
void check_flow(const Description& input, bool is_field, const FlowOptions& options,
                const Device& device);
void check_mask_goes_with(const FlowOptions& options);
/// Refuses numbers that are not finite or larger than `largest_held`, else returns what is known of
/// them; waits for the device.
engine::Sums check_numbers(const Image& image, const char* name, double largest_held);
/// The largest number that the storage holds.
double largest_held(const FlowOptions& options);
void check_inputs(const Description& input, const Device& device, const FlowOptions& options,
                  const FlowInputs& inputs);

/// f64 for double precision and f64 images, else f32.
PixelType flow_arithmetic(PixelType input, const FlowOptions& options);
/// Of the field between steps.
PixelType flow_storage(PixelType arithmetic, const FlowOptions& options);
Border flow_border(const FlowOptions& options);
/// The number of steps of explicit and fed.
std::int64_t flow_iterations(const Shape& shape, const FlowOptions& options);

}  // namespace meander
