// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Smooths a film frame by frame: memory holds one frame, however long the film is.
#include <cstdio>
#include <filesystem>

#include "meander/meander.hpp"

int main(int argc, char** argv) {
  using namespace meander;
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  // A film of moving cells; .ome.tif, .nii.gz and .mha hold films as well.
  const Image cells = phantom({.kind = PhantomKind::film,
                               .size = {160, 120, 12},
                               .noise = {NoiseFamily::gaussian},
                               .seed = 7});
  const Image first = cells.slices(0, 1);
  io::Writer noisy(folder / "cells.nrrd", first.description(),
                   {.film = {.frames = 12, .seconds = 0.5}});
  for (std::int64_t i = 0; i < 12; ++i) noisy.append(cells.slices(i, i + 1));
  noisy.finish();

  const Device device = Device::open("auto");
  const SmoothOptions options{.sigma = 2};
  io::Reader film(folder / "cells.nrrd");
  const Description frame = plan_smooth(film.description(), options).output;
  io::Writer soft(folder / "soft.nrrd", frame, {.film = film.film()});
  for (std::int64_t i = 0; i < film.film().frames; ++i) {
    film.select_frame(i);
    soft.append(smooth(device.upload(film.read()), options).download());
  }
  soft.finish();  // until now there is no file of that name

  const io::Reader result(folder / "soft.nrrd", {.frame = 11});
  std::printf("%lld frames of %s, one every %g s\n", static_cast<long long>(result.film().frames),
              to_string(result.description().shape).c_str(), result.film().seconds);
}
