// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Smooths a film frame by frame: of the film memory holds one frame at a time, however long it is.
// Files with numbers
// ("cells%03d.tif") and slices of volumes are read and written in the same way.
#include <cstdio>
#include <filesystem>

#include "meander/meander.hpp"

int main(int argc, char** argv) {
  using namespace meander;
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  // A film of moving cells to begin with; .ome.tif, .nii.gz and .mha hold films as well.
  const Image cells = phantom({.kind = PhantomKind::film,
                               .size = {160, 120, 12},
                               .noise = {NoiseFamily::gaussian},
                               .seed = 7});
  const std::filesystem::path noisy = folder / "cells.nrrd";
  io::FrameSink made(noisy, cells.slices(0, 1).description(), {.count = 12, .seconds = 0.5});
  for (std::int64_t i = 0; i < 12; ++i) made.append(cells.slices(i, i + 1));
  made.finish();

  const Device device = Device::open("auto");
  const SmoothOptions options{.sigma = 2};
  io::FrameSource film(noisy);
  const Description frame = plan_smooth(film.frame(), options).output;
  io::FrameSink soft(folder / "soft.nrrd", frame,
                     {.count = film.count(), .seconds = film.film().seconds});
  for (std::int64_t i = 0; i < film.count(); ++i) {
    soft.append(smooth(device.upload(film.read(i)), options).download());
  }
  soft.finish();  // until now there is no file of that name

  const io::Reader result(folder / "soft.nrrd", {.frame = 11});
  std::printf("%lld frames of %s, one every %g s\n", static_cast<long long>(result.film().frames),
              to_string(result.description().shape).c_str(), result.film().seconds);
}
