// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Four scales of smoothing side by side, all grey between the same two values.
#include <cstdio>
#include <filesystem>

#include "meander/meander.hpp"

int main(int argc, char** argv) {
  using namespace meander;
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  const Image image = phantom({.kind = PhantomKind::blobs,
                               .size = {256, 192},
                               .noise = {NoiseFamily::gaussian},
                               .snr = 1,
                               .seed = 5});
  const Sweep sweep({{.option = "sigma", .from = 1, .to = 8, .count = 4, .is_geometric = true}});
  ResultSheet sheet(sweep.columns(), sweep.rows());
  for (std::size_t run = 0; run < sweep.runs(); ++run) {
    sheet.add(sweep.label(run), smooth(image, sweep.options(SmoothOptions{}, run)));
  }
  io::write(folder / "scales.npy", sheet.picture());
  std::printf("%zu results from %s to %s, grey from %.0f to %.0f\n", sweep.runs(),
              sweep.label(0).c_str(), sweep.label(3).c_str(), sheet.window()->at(0),
              sheet.window()->at(1));
}
