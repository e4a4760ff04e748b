// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// fuzz_smoke FORMAT COUNT: makes small valid files of a format, damages them COUNT times in
// ways that a seed determines, and reads each. A reader may succeed or throw an error that a file
// can deserve; anything else, a crash above all, is a failure. Meant for a build with sanitizers.
#include <chrono>
#include <cstdio>
#include <functional>

#include "../fuzz/hostile_file.hpp"
#include "io_testing.hpp"
#ifdef MEANDER_WITH_PNG
#include "io/png/png_maker.hpp"
#endif
#ifdef MEANDER_WITH_TIFF
#include "io/tiff/tiff_maker.hpp"
#endif

namespace meander::io {
namespace {

constexpr double most_seconds = 10;  // of a file, under sanitizers and beside other work
constexpr std::uint64_t budget_bytes = 64 << 20;

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t end) { return end == 0 ? 0 : random() % end; }

/// Structure sits at the front and, in TIFF, at the end; pixels in between are dull.
std::size_t place(Random& random, const std::string& bytes) {
  switch (below(random, 4)) {
    case 0:
      return below(random, bytes.size());
    case 1:
      return bytes.size() - 1 - below(random, std::min<std::size_t>(bytes.size(), 256));
    default:
      return below(random, std::min<std::size_t>(bytes.size(), 256));
  }
}

void put_interesting_integer(Random& random, std::string& bytes) {
  constexpr std::uint64_t values[] = {0,          1,          2,          0x7f,       0x80,
                                      0xff,       0x7fff,     0x8000,     0xffff,     0x10000,
                                      0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 1ull << 32,
                                      1ull << 62, 1ull << 63, ~0ull,      8,          16};
  std::uint64_t value = values[below(random, std::size(values))];
  if (below(random, 4) == 0) value = bytes.size() - 16 + below(random, 32);
  const std::size_t width = std::size_t{1} << below(random, 4);
  const std::size_t at = place(random, bytes);
  for (std::size_t i = 0; i < width && at + i < bytes.size(); ++i) {
    const std::size_t shift = below(random, 2) == 0 ? i : width - 1 - i;
    bytes[at + i] = static_cast<char>(value >> (8 * shift));
  }
}

void damage_once(Random& random, std::string& bytes, const std::string& other) {
  if (bytes.empty()) return;
  const std::size_t at = place(random, bytes);
  switch (below(random, 8)) {
    case 0:
      bytes.resize(at);
      break;
    case 1:
      bytes.insert(at, other.substr(below(random, other.size()), below(random, 64)));
      break;
    case 2:
      bytes.erase(at, below(random, 32));
      break;
    case 3:
      bytes[at] = static_cast<char>(random());
      break;
    case 4:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(random, 8)));
      break;
    case 5:
      bytes.replace(at, 16, other.substr(below(random, other.size()), 16));
      break;
    default:
      put_interesting_integer(random, bytes);
  }
}

std::vector<Description> small_descriptions() {
  std::vector<Description> all;
  for (const PixelType type : all_pixel_types) {
    for (const Shape shape : {Shape{19, 7, 1}, Shape{5, 4, 3}}) {
      for (const int channels : {1, 3})
        all.push_back({shape, channels, type, {0.5, 0.25, 2, Unit::millimetre}});
    }
  }
  return all;
}

std::vector<std::string> files_by_our_writer(const Folder& folder, const std::string& suffix,
                                             const WriteOptions& options = {}) {
  std::vector<std::string> files;
  for (const Description& description : small_descriptions()) {
    const auto path = folder / ("seed" + suffix);
    if (!can_hold(path, description.type)) continue;
    if (suffix == ".png" && description.shape.z > 1) continue;
    write(path, random_image(description), options);
    files.push_back(load(path));
  }
  return files;
}

/// Plain and compressed ones.
std::vector<std::string> volume_files(const Folder& folder, const std::string& format) {
  const bool is_nifti = format == "nifti";
  const std::string suffix = is_nifti ? ".nii" : format == "nrrd" ? ".nrrd" : ".mha";
  std::vector<std::string> files = files_by_our_writer(folder, suffix);
  for (const std::string& file : is_nifti
                                     ? files_by_our_writer(folder, ".nii.gz")
                                     : files_by_our_writer(folder, suffix, {.compress = true})) {
    files.push_back(file);
  }
  return files;
}

std::vector<std::string> npy_files(const Folder& folder) {
  std::vector<std::string> files = files_by_our_writer(folder, ".npy");
  for (std::size_t i = 0, count = files.size(); i < count; ++i) {
    std::string fortran = files[i];
    const auto at = fortran.find("False");
    files.push_back(fortran.replace(at, 5, "True "));
  }
  return files;
}

#ifdef MEANDER_WITH_PNG
std::vector<std::string> png_files(const Folder& folder) {
  std::vector<std::string> files = files_by_our_writer(folder, ".png");
  const std::vector<std::string> rows(9, std::string(64, '\x35'));
  const PngRecipe recipes[] = {
      {.width = 8, .height = 9, .color = PNG_COLOR_TYPE_RGB_ALPHA, .interlaced = true},
      {.width = 12,
       .height = 9,
       .bits = 16,
       .color = PNG_COLOR_TYPE_GRAY_ALPHA,
       .interlaced = true},
      {.width = 16, .height = 9, .color = PNG_COLOR_TYPE_PALETTE, .transparent_palette = true},
      {.width = 16, .height = 9, .bits = 2, .color = PNG_COLOR_TYPE_PALETTE},
      {.width = 16, .height = 9, .bits = 1, .interlaced = true},
      {.width = 16, .height = 9, .density_x = 7, .density_y = 9, .exact_spacing = "1,2,3,mm"}};
  for (const PngRecipe& recipe : recipes) {
    make_png(folder / "seed.png", rows, recipe);
    files.push_back(load(folder / "seed.png"));
  }
  return files;
}
#endif

#ifdef MEANDER_WITH_TIFF
std::vector<std::string> tiff_files(const Folder& folder) {
  std::vector<std::string> files = files_by_our_writer(folder, ".tif");
  for (const std::string& file : files_by_our_writer(folder, ".ome.tif")) files.push_back(file);
  std::vector<TiffRecipe> recipes = {
      {.tile = 16}, {.mode = "wb", .separate = true}, {.mode = "w8b"}, {.thumbnails = true}};
  for (const int code : {COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS,
                         COMPRESSION_ZSTD, COMPRESSION_LZMA}) {
    if (TIFFIsCODECConfigured(static_cast<std::uint16_t>(code)) == 0) continue;
    recipes.push_back({.compression = code});
    recipes.push_back({.mode = "w8", .compression = code, .tile = 16, .separate = true});
    recipes.push_back({.mode = "wb", .compression = code, .tile = 16});
  }
  recipes.push_back({.compression = COMPRESSION_LZW, .predictor = PREDICTOR_HORIZONTAL});
  for (const TiffRecipe& recipe : recipes) {
    for (const Description& description : small_descriptions()) {
      if (recipe.predictor != 1 && !is_integer(description.type)) continue;
      make_tiff(folder / "seed.tif", random_image(description), recipe);
      files.push_back(load(folder / "seed.tif"));
    }
  }
  const Image byte = random_image({.shape = {32, 32, 1}, .type = PixelType::u8});
  for (const int code : {COMPRESSION_JPEG, COMPRESSION_WEBP, COMPRESSION_LERC}) {
    if (TIFFIsCODECConfigured(static_cast<std::uint16_t>(code)) == 0) continue;
    if (code == COMPRESSION_WEBP) continue;  // three or four samples only
    make_tiff(folder / "seed.tif", byte, {.compression = code, .rows_per_strip = 16});
    files.push_back(load(folder / "seed.tif"));
  }
  return files;
}
#endif

/// Formats that we do not write: what the fuzz targets start from.
std::vector<std::string> files_of_corpus(const std::string& format) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(MEANDER_CORPUS) / format)) {
    paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<std::string> files;
  for (const auto& path : paths) files.push_back(load(path));
  return files;
}

std::vector<std::string> seed_files(const std::string& format, const Folder& folder) {
  if (format == "npy") return npy_files(folder);
#ifdef MEANDER_WITH_PNG
  if (format == "png") return png_files(folder);
#endif
#ifdef MEANDER_WITH_TIFF
  if (format == "tiff") return tiff_files(folder);
#endif
  if (format == "bmp" || (format == "jpeg" && has_format("JPEG"))) return files_of_corpus(format);
  if (format == "nifti" || format == "nrrd" || format == "meta_image") {
    return volume_files(folder, format);
  }
  return {};
}

int run(const std::string& format, long count) {
  const Folder folder;
  const std::vector<std::string> seeds = seed_files(format, folder);
  if (seeds.empty()) {
    std::printf("skipped: this build has no %s\n", format.c_str());
    return 77;
  }
  const Budget budget(budget_bytes);
  const auto path = folder / "damaged";
  long failed = 0, read = 0;
  double slowest = 0;
  for (long i = 0; i < count; ++i) {
    Random random(static_cast<std::uint64_t>(i));
    std::string bytes = seeds[static_cast<std::size_t>(i) % seeds.size()];
    const std::string& other = seeds[below(random, seeds.size())];
    for (std::size_t times = 1 + below(random, 4); times > 0; --times) {
      damage_once(random, bytes, other);
    }
    save(path, bytes);
    bool opened = false;
    const auto begin = std::chrono::steady_clock::now();
    std::string fault = fault_of_reading(path, "", static_cast<std::uint32_t>(random()), opened);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (fault.empty() && took.count() > most_seconds) fault = "took too long";
    slowest = std::max(slowest, took.count());
    read += opened ? 1 : 0;
    if (fault.empty()) continue;
    ++failed;
    std::printf("%s mutation %ld: %s\n", format.c_str(), i, fault.c_str());
  }
  std::printf("%s: %ld passed, %ld of them opened, %ld failed, slowest %.3f s\n", format.c_str(),
              count - failed, read, failed, slowest);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace meander::io

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: fuzz_smoke npy|png|jpeg|bmp|tiff|nifti|nrrd|meta_image COUNT\n");
    return 2;
  }
  return meander::io::run(argv[1], std::atol(argv[2]));
}
