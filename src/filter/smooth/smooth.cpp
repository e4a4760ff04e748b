// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/smooth.hpp"

#include "core/message.hpp"
#include "filter/check.hpp"
#include "filter/smooth/normalised.hpp"
#include "filter/smooth/run.hpp"

namespace meander {
namespace {

void smooth_plainly(const SmoothDesign& design, const Image& image, const Image& out,
                    const SmoothOptions& options, const Control& control) {
  SmoothProgress progress(control, numbers_passed(design));
  SmoothRun run(design, out.device());
  run.set_border(options.border);
  run.whole(readable(image), out, progress);
}

/// Channel by channel, so that what is held beside the result is planes, not images.
void smooth_normalised(const SmoothDesign& design, const Image& image, const Image& mask,
                       const Image& out, const SmoothOptions& options, const Control& control) {
  SmoothProgress progress(control, 2 * numbers_passed(design));
  SmoothRun run(design, out.device());
  Normaliser normaliser(out.device(), out.type(), least_weight(design));
  normaliser.set_mask(mask);
  const Image weights = out.device().allocate(out.channel(0).description());
  for (int channel = 0; channel < image.channels(); ++channel) {
    const Image values = out.channel(channel);
    normaliser.weigh(image.channel(channel), values, weights);
    run.set_border(options.border);
    run.whole(values, values, progress);
    run.set_border(border_of_weights(options.border));
    run.whole(weights, weights, progress);
    normaliser.divide(image.channel(channel), values, weights, options.nonfinite);
  }
}

Image smooth_image(const Image& image, const Image& mask, const SmoothOptions& options,
                   const Control& control) {
  const SmoothDesign design = design_smooth(image.description(), options, !mask.empty());
  const Device device = image.device();
  check_device(design.output.type, device);
  if (options.nonfinite == Nonfinite::error) refuse_nonfinite(count_nonfinite(image));
  const Image out = device.allocate(design.output);
  if (design.normalised) {
    smooth_normalised(design, image, mask, out, options, control);
  } else {
    smooth_plainly(design, image, out, options, control);
  }
  return out;
}

}  // namespace

Image smooth(const Image& image, const SmoothOptions& options, const SmoothInputs& inputs,
             const Control& control) {
  const Image& mask = inputs.mask;
  if (!mask.empty()) check_mask(image.description(), mask.description());
  if (!mask.empty() && !(mask.device() == image.device())) {
    throw InvalidArgument(message("the mask is on ", mask.device().name(), ", expected it on ",
                                  image.device().name(), " with the image"));
  }
  return smooth_image(image, mask, options, control);
}

}  // namespace meander
