// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// meander_npy_bridge IN OUT [x,y,z,unit]: reads one file and writes the other, so that Python can
// compare what Meander reads and writes with what other programs do. Prints what was read as one
// line of JSON. A spacing replaces that of the input. An NPY input of three axes is (y, x,
// channels) when its name contains "channels".
#include <cstdio>
#include <string>

#include "io/spacing.hpp"
#include "meander/io.hpp"

namespace {

void print(const meander::io::Reader& reader) {
  const meander::Description& found = reader.description();
  std::printf("{\"format\": \"%s\", \"x\": %lld, \"y\": %lld, \"z\": %lld, \"channels\": %d, ",
              reader.format().c_str(), static_cast<long long>(found.shape.x),
              static_cast<long long>(found.shape.y), static_cast<long long>(found.shape.z),
              found.channels);
  std::printf("\"type\": \"%s\", \"spacing\": [%.17g, %.17g, %.17g], \"unit\": \"%s\"}\n",
              std::string(name_of(found.type)).c_str(), found.spacing.x, found.spacing.y,
              found.spacing.z, std::string(name_of(found.spacing.unit)).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  try {
    const std::string input = argv[1];
    const bool channels = input.find("channels") != std::string::npos;
    meander::io::Reader reader(input, {.channels_last = channels});
    print(reader);
    meander::Image image = reader.read();
    if (argc > 3) image = image.with_spacing(meander::io::spacing_in(argv[3]).value());
    meander::io::write(argv[2], image);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
