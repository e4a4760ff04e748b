// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// From points in a table, one in each cell, to outlines that GIS programs and browsers open.
#include <cstdio>
#include <filesystem>

#include "meander/meander.hpp"

int main(int argc, char** argv) {
  using namespace meander;
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  const PhantomOptions options{.kind = PhantomKind::blobs,
                               .size = {300, 200},
                               .noise = {NoiseFamily::gaussian},
                               .snr = 2,
                               .seed = 3,
                               .count = 9};
  const Image image = phantom(options);
  // In pixels, the first pixel's centre at 0,0; a column r would be the radius to begin with.
  std::string seeds = "x,y\n";
  for (const LabelledRegion& cell : Phantom(options).regions()) {
    const ObjectMeasure place = measure_shape(cell.region, image.spacing());
    seeds += std::to_string(place.x) + "," + std::to_string(place.y) + "\n";
  }
  io::write_text(folder / "seeds.csv", seeds);

  ObjectInputs inputs;
  inputs.starts = read_regions(folder / "seeds.csv", image.spacing());
  check_starts(inputs.starts, image.shape());  // none over another, all within the image
  const SegmentResult found = segment_objects(image, {}, inputs);
  io::write_text(folder / "cells.geojson", outlines_as_geojson(found, image.spacing()));

  const TruthScore score = meander::score(Phantom(options).labels_slab(0, 200), objects_of(found));
  std::printf("%zu outlines of %zu seeds, IoU %.2f\n", found.outlines.size(), inputs.starts.size(),
              score.iou());
}
