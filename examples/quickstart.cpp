// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cstdio>
#include <filesystem>

#include "meander/meander.hpp"

int main(int argc, char** argv) {
  using namespace meander;
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  const PhantomOptions options{
      .size = {640, 480}, .noise = {NoiseFamily::gaussian}, .snr = 1, .seed = 7};
  io::write(folder / "star.npy", phantom(options));

  const Device device = Device::open("auto");
  const Image star = device.upload(io::read(folder / "star.npy"));
  const Image floats = convert(star, {.type = PixelType::f32});  // stays on the device
  const double mean = statistics(floats).mean;
  io::write(folder / "floats.npy", floats.download());

  const auto outline = Phantom(options).outlines().front();
  std::printf("%s, mean %.1f on %s, outline of %zu points\n", to_string(star.shape()).c_str(), mean,
              device.name() == "cpu" ? "cpu" : "gpu", outline.vertices.size());
}
