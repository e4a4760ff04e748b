// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/io.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "meander/io.hpp"
#include "meander/phantom.hpp"

namespace meander::bench {
namespace {

namespace fs = std::filesystem;

/// A folder that goes away with its content.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "meander-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw FileSystemError(pattern + ": no folder could be made");
    path = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  fs::path path;
};

/// The baseline: as many bytes as the image has, in one fresh buffer.
void plain_read(const fs::path& path, std::int64_t bytes) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  auto* buffer = static_cast<char*>(std::malloc(static_cast<std::size_t>(bytes)));
  std::int64_t done = 0;
  while (file >= 0 && buffer != nullptr && done < bytes) {
    const ssize_t got = read(file, buffer + done, static_cast<std::size_t>(bytes - done));
    if (got <= 0) break;
    done += got;
  }
  std::free(buffer);
  close(file);
  if (done != bytes) throw FileSystemError(path.string() + ": could not be read");
}

}  // namespace

IoResult bench_io(const Shape& shape, int runs, const Control& control) {
  const ScratchFolder folder;
  const Phantom phantom({.kind = PhantomKind::star, .size = shape, .type = PixelType::u16});
  // NPY is the file to read plainly: a short header and then nothing but pixels.
  const fs::path npy = folder.path / "image.npy";
  std::vector<std::pair<std::string, fs::path>> files = {{"NPY, io::read", npy}};
  if (io::can_hold("image.tif", PixelType::u16))
    files.push_back({"TIFF, io::read", folder.path / "image.tif"});
  // In a child too: memory that the parent had touched would be copied page by page in its
  // children.
  cost_in_child([&] {
    const Image image = phantom.slab(0, io::slab_length(shape));
    for (const auto& [name, path] : files) io::write(path, image);
  });
  IoResult result{.rows = {}, .image_bytes = phantom.description().bytes()};
  const std::int64_t bytes = result.image_bytes;
  std::vector<Candidate> candidates = {
      {"read() into a fresh buffer", bytes,
       [&] { return cost_in_child([&] { plain_read(npy, bytes); }).seconds; }}};
  for (const auto& [name, path] : files) {
    candidates.push_back(
        {name, bytes, [path = path] { return cost_in_child([&] { io::read(path); }).seconds; }});
  }
  result.rows = compare_in_turn(candidates, runs, control);
  result.peak_bytes = cost_in_child([&] { io::read(files.back().second); }).peak_bytes;
  return result;
}

}  // namespace meander::bench
