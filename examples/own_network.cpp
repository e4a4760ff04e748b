// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// A reaction-diffusion network with genes of one's own, from a preset file of one's own.
#include <cstdio>
#include <filesystem>

#include "meander/meander.hpp"

int main(int argc, char** argv) {
  using namespace meander;
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  // What is not named keeps its default; docs/algorithms/reaction.md says what the genes do.
  io::write_text(folder / "rims.preset",
                 "# Broad dark lines along edges.\n"
                 "genes = a=-0.2,b=1.5,c=1,e=-0.1\n"
                 "diffusion = 0.2,3\n"
                 "dt = 0.07\n"
                 "steps = 400\n"
                 "window = range\n");
  const std::string text = io::read_text(folder / "rims.preset", 1 << 20);
  const Image image = phantom({.kind = PhantomKind::blobs, .size = {256, 192}, .seed = 5});
  const ReactOptions options = parse_react_preset(text, "rims.preset");

  const auto show = [](std::int64_t step, const Image& u) {
    std::printf("step %lld: mean of u %.2f\n", static_cast<long long>(step), statistics(u).mean);
  };
  const Device device = Device::open("auto");
  const auto [u, figures] = react(device.upload(image), options, {.at = {100, 200}, .take = show});
  io::write(folder / "rims.npy", react_pixels(u, options, figures, PixelType::u8).download());
  std::printf("u from %.2f to %.2f after %lld steps of %g\n", figures.u[0], figures.u[1],
              static_cast<long long>(figures.steps), options.dt);
}
