// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Reads and writes files for Python, so that it can compare what Meander does with what other
// programs do. Prints what was read as one line of JSON.
//
//   meander_npy_bridge describe IN
//   meander_npy_bridge IN OUT [x,y,z,unit] [seconds=S] [frame=N] [channel=N] [compress]
//
// The second form writes what it read; a spacing and seconds replace those of the input. A film is
// copied whole unless a frame is chosen. An NPY input of three axes is (y, x, channels) when its
// name contains "channels".
#include <cstdio>
#include <string>
#include <string_view>

#include "io/image/spacing.hpp"
#include "meander/io.hpp"

namespace {

using meander::Description;
using meander::Placement;
using meander::io::Reader;
using meander::io::Writer;

struct Request {
  std::string input;
  std::string output;  ///< Empty for a description only.
  meander::io::ReadOptions read = {};
  meander::io::WriteOptions write = {};
  std::optional<meander::Spacing> spacing = {};
  std::optional<double> seconds = {};
};

Request request_of(int argc, char** argv) {
  const bool describes = std::string_view(argv[1]) == "describe";
  Request request{.input = describes ? argv[2] : argv[1], .output = describes ? "" : argv[2]};
  request.read.channels_last = request.input.find("channels") != std::string::npos;
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("frame=")) {
      request.read.frame = std::stoll(word.substr(6));
    } else if (word.starts_with("channel=")) {
      request.read.channel = std::stoi(word.substr(8));
    } else if (word.starts_with("seconds=")) {
      request.seconds = std::stod(word.substr(8));
    } else if (word == "compress") {
      request.write.compress = true;
    } else {
      request.spacing = meander::io::spacing_in(word).value();
    }
  }
  return request;
}

std::string listed(const Placement::Vector& vector) {
  char text[100];
  std::snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", vector[0], vector[1], vector[2]);
  return text;
}

std::string placement_text(const Placement& placement) {
  constexpr const char* axes[] = {"unnamed", "ras",          "lps",        "las",
                                  "scanner", "right_handed", "left_handed"};
  constexpr const char* origins[] = {"unknown",   "scanner", "aligned",
                                     "talairach", "mni152",  "other"};
  return "{\"origin\": " + listed(placement.origin) + ", \"step\": [" + listed(placement.step[0]) +
         ", " + listed(placement.step[1]) + ", " + listed(placement.step[2]) + "], \"axes\": \"" +
         axes[static_cast<int>(placement.axes)] + "\", \"from\": \"" +
         origins[static_cast<int>(placement.from)] + "\"}";
}

void print(const Reader& reader) {
  const Description& found = reader.description();
  std::printf("{\"format\": \"%s\", \"x\": %lld, \"y\": %lld, \"z\": %lld, \"channels\": %d, ",
              reader.format().c_str(), static_cast<long long>(found.shape.x),
              static_cast<long long>(found.shape.y), static_cast<long long>(found.shape.z),
              found.channels);
  std::printf("\"type\": \"%s\", \"spacing\": %s, \"unit\": \"%s\", ",
              std::string(name_of(found.type)).c_str(),
              listed({found.spacing.x, found.spacing.y, found.spacing.z}).c_str(),
              std::string(name_of(found.spacing.unit)).c_str());
  std::printf("\"frames\": %lld, \"seconds\": %.17g, \"placement\": %s}\n",
              static_cast<long long>(reader.film().frames), reader.film().seconds,
              found.placement ? placement_text(*found.placement).c_str() : "null");
}

void copy(Reader& reader, Request request) {
  Description description = reader.description();
  if (request.spacing) description.spacing = *request.spacing;
  const bool whole = !request.read.frame;
  if (whole) request.write.film = reader.film();
  if (request.seconds) request.write.film.seconds = *request.seconds;
  Writer writer(request.output, description, request.write);
  for (std::int64_t frame = 0; frame < request.write.film.frames; ++frame) {
    if (whole) reader.select_frame(frame);
    writer.append(reader.read());
  }
  writer.finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  try {
    const Request request = request_of(argc, argv);
    Reader reader(request.input, request.read);
    print(reader);
    if (!request.output.empty()) copy(reader, request);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
