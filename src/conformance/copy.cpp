// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "conformance/samples.hpp"

namespace meander::conformance {

Deviation check_copy(const Device& device, PixelType type) {
  Deviation found{.engine = "copy",
                  .check = "upload, clone, download " + std::string(name_of(type))};
  for (const Description& description : sample_descriptions(type)) {
    const Image host = sample_image(description, true);
    for (const Image& source : {host, inside(host)}) {
      const Image back = device.upload(source).clone().download();
      found.deviation = std::max(found.deviation, largest_difference(source, back));
      // A view of an image on the device must arrive like the view of the host's.
      const Image view = inside(device.upload(source)).download();
      found.deviation = std::max(found.deviation, largest_difference(inside(source), view));
      found.cases += 2;
    }
  }
  return found;
}

}  // namespace meander::conformance
