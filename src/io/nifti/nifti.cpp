// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/nifti/nifti.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "io/file/deflate.hpp"
#include "io/file/sibling_file.hpp"
#include "io/image/raw.hpp"
#include "io/image/volume_header.hpp"

namespace meander::io {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t longest_axis_of_version_1 = 32767;
constexpr int vector_intent = 1007;

/// A data type that images can have; colours are neighbours in each pixel.
struct DataType {
  int code;
  StoredType number;
  int colours = 1;
};
constexpr DataType data_types[] = {
    {2, StoredType::u8},     {4, StoredType::i16},     {8, StoredType::i32},
    {16, StoredType::f32},   {64, StoredType::f64},    {256, StoredType::i8},
    {512, StoredType::u16},  {768, StoredType::u32},   {1024, StoredType::i64},
    {1280, StoredType::u64}, {128, StoredType::u8, 3}, {2304, StoredType::u8, 4}};
constexpr std::pair<int, std::string_view> other_data_types[] = {
    {0, "unknown"},     {1, "1-bit"},         {32, "complex64"},
    {1536, "float128"}, {1792, "complex128"}, {2048, "complex256"}};

DataType data_type_of(const InputFile& file, const NiftiHeader& header) {
  for (const DataType& type : data_types) {
    if (type.code != header.datatype) continue;
    const std::int64_t bits = 8 * bytes_of(type.number) * type.colours;
    if (bits == header.bitpix) return type;
    file.malformed("found ", header.bitpix, " bits a pixel for NIfTI data type ", type.code,
                   ", expected ", bits);
  }
  for (const auto& [code, name] : other_data_types) {
    if (code != header.datatype) continue;
    file.unsupported("found NIfTI data type ", code, " (", name,
                     "), expected integers of 8 to 64 bits, float32, float64, RGB or RGBA");
  }
  file.malformed("found data type ", header.datatype, ", which NIfTI does not have");
}

/// Axes 1 to 3 are space, 4 is time, 5 holds the channels.
int channels_of(const InputFile& file, const NiftiHeader& header, const DataType& type) {
  for (const std::size_t axis : {std::size_t{6}, std::size_t{7}}) {
    if (header.dim[axis] == 1) continue;
    file.unsupported("found ", header.dim[axis], " pixels along NIfTI axis ", axis, ", expected 1");
  }
  const std::int64_t vectors = header.dim[5];
  if (vectors > most_channels) {
    file.unsupported("found ", vectors, " channels, expected at most ", most_channels);
  }
  if (vectors > 1 && type.colours > 1) {
    file.unsupported("found ", vectors, " colours in each NIfTI pixel, expected 1");
  }
  return static_cast<int>(vectors) * type.colours;
}

/// Colours have no scaling.
Scaling scaling_of(const NiftiHeader& header, const DataType& type) {
  if (type.colours > 1 || header.scl_slope == 0 || !std::isfinite(header.scl_slope)) return {};
  return {header.scl_slope, header.scl_inter};
}

RawImage image_of(const InputFile& file, const NiftiHeader& header) {
  const DataType type = data_type_of(file, header);
  RawImage image;
  image.description = {.shape = {header.dim[1], header.dim[2], header.dim[3]},
                       .channels = channels_of(file, header, type),
                       .spacing = nifti_spacing(header),
                       .placement = nifti_placement(file.path(), header)};
  image.film = {header.dim[4], nifti_seconds(header)};
  image.layout.type = type.number;
  image.layout.scaling = scaling_of(header, type);
  image.layout.swapped = header.swapped;
  if (type.colours > 1) {
    set_interleaved(image.layout, image.description);
  } else {
    set_planar(image.layout, image.description, image.film);
  }
  return image;
}

/// The front of a file as it is stored, or of what it holds once inflated.
std::vector<std::byte> front_of(const InputFile& file) {
  const auto length = std::min<std::int64_t>(file.size(), nifti_front_bytes);
  std::vector<std::byte> front(static_cast<std::size_t>(length));
  file.read(0, front);
  return front;
}
std::vector<std::byte> inflated_front_of(const InputFile& file) {
  std::vector<std::byte> front(nifti_front_bytes);
  front.resize(static_cast<std::size_t>(InflateStream(file, 0).read_front(front)));
  return front;
}

bool is_gzip(std::span<const std::byte> front) {
  return front.size() >= 2 && front[0] == std::byte{0x1f} && front[1] == std::byte{0x8b};
}

/// The other file of a pair: .img for .hdr, .hdr for .img, capitals for capitals. Nothing for names
/// of another kind.
std::optional<fs::path> partner_of(const fs::path& path) {
  const std::string suffix = path.extension().string();
  const bool names_header = lower_case(suffix) == ".hdr";
  if (!names_header && lower_case(suffix) != ".img") return std::nullopt;
  const bool capitals = std::isupper(static_cast<unsigned char>(suffix[1])) != 0;
  const char* const other =
      names_header ? (capitals ? ".IMG" : ".img") : (capitals ? ".HDR" : ".hdr");
  return fs::path(path).replace_extension(other);
}

/// A file beside one that is written anew holds something else, and a link leads elsewhere.
void check_partner(const fs::path& path, const fs::path& partner) {
  std::error_code none;
  const bool is_link = fs::is_symlink(fs::symlink_status(partner, none));
  if (!is_link && (fs::exists(path, none) || !fs::exists(partner, none))) return;
  throw FileSystemError(
      message(path.string(), ": ", partner.filename().string(),
              is_link ? " beside it is a symbolic link" : " is there already and not its own",
              ", expected a free name for the other file of the pair"));
}

bool is_image_of_pair(const fs::path& path) {
  return lower_case(path.extension().string()) == ".img";
}

std::unique_ptr<Reader::Source> open_pair(InputFile header_file, std::optional<InputFile> data,
                                          const NiftiHeader& header) {
  RawImage image = image_of(header_file, header);
  image.layout.data_begin = static_cast<std::int64_t>(header.vox_offset);
  if (!data) {
    const fs::path name = partner_of(header_file.path())
                              .value_or(fs::path(header_file.path()).replace_extension(".img"));
    data = open_sibling(header_file, name.filename().string());
  }
  return open_raw(std::move(header_file), std::move(data), image);
}

std::unique_ptr<Reader::Source> open_single(InputFile file, const NiftiHeader& header,
                                            bool compressed) {
  RawImage image = image_of(file, header);
  const auto offset = static_cast<std::int64_t>(header.vox_offset);
  (compressed ? image.layout.skipped : image.layout.data_begin) = offset;
  if (compressed) image.layout.compression = Compression::gzip;
  return open_raw(std::move(file), std::nullopt, image);
}

int type_code(PixelType type) {
  const auto found = std::ranges::find(data_types, stored_type(type), &DataType::number);
  return found->code;
}

NiftiHeader header_for(const fs::path& path, const Description& description, const Film& film) {
  const Shape& shape = description.shape;
  NiftiHeader header;
  header.dim = {2, shape.x, shape.y, shape.z, film.frames, description.channels, 1, 1};
  for (std::size_t axis = 3; axis <= 5; ++axis) {
    if (header.dim[axis] > 1) header.dim[0] = static_cast<std::int64_t>(axis);
  }
  header.version = std::ranges::max(header.dim) > longest_axis_of_version_1 ? 2 : 1;
  header.datatype = type_code(description.type);
  header.bitpix = static_cast<int>(8 * size_of(description.type));
  if (description.channels > 1) header.intent_code = vector_intent;
  set_nifti_geometry(path, description.spacing, description.placement, film.seconds, header);
  return header;
}

}  // namespace

bool recognise_nifti(const InputFile& file) {
  if (!is_image_of_pair(file.path())) return false;
  const fs::path header = partner_of(file.path()).value();
  std::error_code none;
  return fs::is_regular_file(header, none) && begins_like_nifti(front_of(InputFile(header)));
}

std::unique_ptr<Reader::Source> open_nifti(InputFile file, const ReadOptions&) {
  if (recognise_nifti(file)) {
    InputFile header_file(*partner_of(file.path()));
    const NiftiHeader header = parse_nifti_header(header_file.path(), front_of(header_file));
    if (header.detached) return open_pair(std::move(header_file), std::move(file), header);
    return open_single(std::move(header_file), header, false);
  }
  std::vector<std::byte> front = front_of(file);
  const bool compressed = is_gzip(front);
  if (compressed) front = inflated_front_of(file);
  if (compressed && !begins_like_nifti(front)) {
    file.unsupported("found a gzip file that holds no NIfTI image, expected one that does");
  }
  const NiftiHeader header = parse_nifti_header(file.path(), front);
  if (!header.detached) return open_single(std::move(file), header, compressed);
  if (compressed) file.unsupported("found the compressed header of a pair, expected a plain one");
  return open_pair(std::move(file), std::nullopt, header);
}

std::unique_ptr<Writer::Sink> create_nifti(AtomicFile file, const Description& description,
                                           const WriteOptions& options) {
  const fs::path path = file.path();
  NiftiHeader header = header_for(path, description, options.film);
  const std::optional<fs::path> partner = partner_of(path);
  header.detached = partner.has_value();
  if (!header.detached) header.vox_offset = static_cast<double>(nifti_header_end(header.version));
  RawRecipe recipe{.header = nifti_header_text(header), .planar = description.channels > 1};
  if (lower_case(path.extension().string()) == ".gz") {
    recipe.compression = Compression::gzip;
    recipe.header_too = true;
  }
  if (!header.detached) return create_raw(std::move(file), description, options, recipe);
  check_partner(path, *partner);
  const bool names_numbers = is_image_of_pair(path);
  recipe.data = names_numbers ? path : *partner;
  return create_raw(names_numbers ? AtomicFile(*partner) : std::move(file), description, options,
                    recipe);
}

}  // namespace meander::io
