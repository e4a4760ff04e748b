// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace meander::io {

/// A file that is written anew for every input, in a folder of its own, where the pixels of
/// detached headers lie as well: `image.img` and `image.raw`, and compressed in `packed.zraw` and
/// `packed.raw.gz`.
class ScratchFile {
 public:
  /// Formats are named as folders of the corpus, too.
  explicit ScratchFile(std::string_view format) : packs_(format == "NIfTI" || format == "nifti") {
    std::string name = (std::filesystem::temp_directory_path() / "meander-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    const bool has_outlines = format == "csv" || format == "geojson";
    path_ = folder_ / (packs_ ? "image.hdr" : "image");
    if (has_outlines) path_.replace_extension(format);
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor_ < 0) throw std::runtime_error("no temporary file");
    add_pixels();
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() {
    ::close(descriptor_);
    std::filesystem::remove_all(folder_);
  }

  /// The path of the file, which now holds `bytes`. A format that is also read compressed is so for
  /// a quarter of the choices.
  const std::filesystem::path& hold(std::span<const std::uint8_t> bytes,
                                    std::uint32_t choice) const {
    std::vector<std::uint8_t> packed;
    if (packs_ && choice % 4 == 3) {
      packed = stored_gzip(bytes);
      bytes = packed;
    }
    const auto size = static_cast<off_t>(bytes.size());
    if (::pwrite(descriptor_, bytes.data(), bytes.size(), 0) != size ||
        ::ftruncate(descriptor_, size) != 0) {
      throw std::runtime_error("the temporary file cannot be written");
    }
    return path_;
  }

 private:
  void add_pixels() const {
    std::string pixels;
    for (int i = 0; i < 512; ++i) pixels += static_cast<char>(i * 37);
    std::ofstream(folder_ / "image.img", std::ios::binary) << pixels;
    std::ofstream(folder_ / "image.raw", std::ios::binary) << pixels;
    const auto packed =
        stored_gzip({reinterpret_cast<const std::uint8_t*>(pixels.data()), pixels.size()});
    for (const char* const name : {"packed.zraw", "packed.raw.gz"}) {
      std::ofstream(folder_ / name, std::ios::binary)
          .write(reinterpret_cast<const char*>(packed.data()),
                 static_cast<std::streamsize>(packed.size()));
    }
  }

  /// A gzip file of one block that is not compressed, which takes no time to make.
  static std::vector<std::uint8_t> stored_gzip(std::span<const std::uint8_t> bytes) {
    std::vector<std::uint8_t> out = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1};
    const auto put = [&](std::size_t value, int count) {
      for (int i = 0; i < count; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    };
    const std::size_t size = std::min<std::size_t>(bytes.size(), 0xffff);
    put(size, 2);
    put(~size, 2);
    out.insert(out.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    put(::crc32(0, bytes.data(), static_cast<uInt>(size)), 4);
    put(size, 4);
    return out;
  }

  const bool packs_;
  std::filesystem::path folder_;
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace meander::io
