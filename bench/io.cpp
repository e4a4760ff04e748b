// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

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

IoResult bench_io(const Shape& shape, int runs) {
  const ScratchFolder folder;
  // NPY is the file to read plainly: a short header and then nothing but pixels.
  const fs::path npy = folder.path / "image.npy", tiff = folder.path / "image.tif";
  const Phantom phantom({.kind = PhantomKind::star, .size = shape, .type = PixelType::u16});
  // In a child too: memory that the parent had touched would be copied page by page in its
  // children.
  cost_in_child([&] {
    const Image image = phantom.slab(0, io::slab_length(shape));
    for (const fs::path& path : {npy, tiff}) io::write(path, image);
  });
  IoResult result{.rows = {}, .image_bytes = phantom.description().bytes()};
  const auto read_tiff = [&] { io::read(tiff); };
  const auto seconds = [](const std::function<void()>& work) {
    return cost_in_child(work).seconds;
  };
  result.rows = compare_in_turn(
      {{"read() into a fresh buffer", result.image_bytes,
        [&] { return seconds([&] { plain_read(npy, result.image_bytes); }); }},
       {"TIFF, io::read", result.image_bytes, [&] { return seconds(read_tiff); }},
       {"NPY, io::read", result.image_bytes, [&] { return seconds([&] { io::read(npy); }); }}},
      runs);
  result.peak_bytes = cost_in_child(read_tiff).peak_bytes;
  return result;
}

}  // namespace meander::bench
