// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// fuzz_replay CORPUS FOUND: reads every file of CORPUS/npy, CORPUS/tiff and so on as the fuzz
// targets do, in a build of any kind, and those of FOUND likewise. Most of the corpus must open.
#include <cstdio>

#include "hostile_outlines.hpp"
#include "meander/device.hpp"
#include "scratch_file.hpp"

namespace meander::io {
namespace {

namespace fs = std::filesystem;

std::vector<std::uint8_t> load(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Count {
  int files = 0;
  int opened = 0;
  int failed = 0;
};

void replay_format(const fs::path& folder, Count& count) {
  const ScratchFile scratch(folder.filename().string());
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::vector<std::uint8_t> bytes = load(entry.path());
    const std::uint32_t choice = choice_from(bytes);
    bool opened = false;
    const std::string fault = fault_of(scratch.hold(bytes, choice), "", choice, opened);
    ++count.files;
    count.opened += opened ? 1 : 0;
    if (fault.empty()) continue;
    ++count.failed;
    std::printf("%s: %s\n", entry.path().c_str(), fault.c_str());
  }
}

Count replay(const fs::path& root) {
  Count count;
  for (const auto& entry : fs::directory_iterator(root)) {
    if (entry.is_directory()) replay_format(entry.path(), count);
  }
  std::printf("%s: %d files, %d opened, %d failed\n", root.c_str(), count.files, count.opened,
              count.failed);
  return count;
}

}  // namespace
}  // namespace meander::io

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: fuzz_replay CORPUS FOUND\n");
    return 2;
  }
  meander::Device::open("cpu").set_memory_budget(64 << 20);
  const auto corpus = meander::io::replay(argv[1]);
  const auto found = meander::io::replay(argv[2]);
  const bool most_open = 2 * corpus.opened > corpus.files;
  return most_open && corpus.failed + found.failed == 0 ? 0 : 1;
}
