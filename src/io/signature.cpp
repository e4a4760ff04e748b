// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/format.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace meander::io {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::size_t offset;
  std::string_view bytes;
  std::string_view name;
};

/// Those that others begin with come after them.
constexpr Signature signatures[] = {
    {128, "DICM"sv, dicom_name},
    {0, "\0\0\0\x0cjP  \r\n\x87\n"sv, "a JPEG 2000 image"sv},
    {0, "\xff\x4f\xff\x51"sv, "a JPEG 2000 codestream"sv},
    {0, "\xff\x0a"sv, "a JPEG XL image"sv},
    {0, "\0\0\0\x0cJXL \r\n\x87\n"sv, "a JPEG XL image"sv},
    {0, "II\xbc\x01"sv, "a JPEG XR image"sv},
    {0, "\x89HDF\r\n\x1a\n"sv, "an HDF5 file (also Imaris, NWB and NetCDF 4)"sv},
    {512, "\x89HDF\r\n\x1a\n"sv, "an HDF5 file (also MATLAB 7.3)"sv},
    {0, "CDF\x01"sv, "a NetCDF file"sv},
    {0, "CDF\x02"sv, "a NetCDF file"sv},
    {0, "CDF\x05"sv, "a NetCDF file"sv},
    {0, "SIMPLE  ="sv, "a FITS file"sv},
    {208, "MAP "sv, "an MRC volume"sv},
    {0, "ZISRAWFILE"sv, "a Zeiss CZI file: export it as OME-TIFF"sv},
    {0, "\xda\xce\xbe\x0a"sv, "a Nikon ND2 file: export it as OME-TIFF"sv},
    {0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv,
     "an OLE compound file (Olympus OIB, Zeiss ZVI): export it as OME-TIFF"sv},
    {0, "\xff\xfe"sv, "a text file of UTF-16 (Olympus OIF is one: export it as OME-TIFF)"sv},
    {0, "MATLAB 5.0"sv, "a MATLAB file"sv},
    {8, "WEBP"sv, "a WebP image"sv},
    {4, "ftypavif"sv, "an AVIF image"sv},
    {4, "ftypavis"sv, "an AVIF film"sv},
    {4, "ftyphei"sv, "a HEIF image"sv},
    {4, "ftypmif1"sv, "a HEIF image"sv},
    {4, "ftyp"sv, "an MP4 or QuickTime film"sv},
    {8, "AVI "sv, "an AVI film"sv},
    {0, "\x1a\x45\xdf\xa3"sv, "a Matroska or WebM film"sv},
    {0, "8BPS"sv, "a Photoshop image"sv},
    {0, "v/1\x01"sv, "an OpenEXR image"sv},
    {0, "#?RADIANCE"sv, "a Radiance HDR image"sv},
    {0, "#?RGBE"sv, "a Radiance HDR image"sv},
    {0, "DDS "sv, "a DDS texture"sv},
    {0, "\0\0\x01\0"sv, "a Windows icon"sv},
    {0, "\x01\xda\0\x01"sv, "an SGI image"sv},
    {0, "\x01\xda\x01\x01"sv, "an SGI image"sv},
    {0, "\x01\xda\0\x02"sv, "an SGI image"sv},
    {0, "\x01\xda\x01\x02"sv, "an SGI image"sv},
    {0, "\x59\xa6\x6a\x95"sv, "a Sun raster image"sv},
    {0, "icns"sv, "an Apple icon"sv},
    {0, "gimp xcf"sv, "a GIMP image"sv},
    {0, "qoif"sv, "a QOI image"sv},
    {0, "PK\x03\x04"sv, "a ZIP archive (also NPZ)"sv},
    {0, "7z\xbc\xaf\x27\x1c"sv, "a 7z archive"sv},
    {0, "BZh"sv, "a bzip2 file"sv},
    {0, "\xfd\x37zXZ\0"sv, "an xz file"sv},
    {0, "\x28\xb5\x2f\xfd"sv, "a Zstandard file"sv},
    {257, "ustar"sv, "a tar archive"sv},
    {0, "%PDF-"sv, "a PDF document"sv},
    {0, "%!PS"sv, "a PostScript document"sv},
    {0, "\xc5\xd0\xd3\xc6"sv, "a PostScript document"sv},
    {0, "GRIB"sv, "a GRIB file"sv},
    {0, "BUFR"sv, "a BUFR file"sv},
};

/// Leica's blocks begin with 0x70 and their length, and their text with a star.
bool is_lif(std::string_view head) {
  return head.size() > 8 && head.starts_with("\x70\0\0\0"sv) && head[8] == '*';
}

/// Elements of DICOM without a header, as older programs store them: one of the first of group 2 or
/// 8 in either byte order, then its type in two letters or a short length.
bool is_bare_dicom(std::string_view head) {
  if (head.size() < 8) return false;
  const bool swapped = head[0] == 0;
  const char group = head[swapped ? 1 : 0], element = head[swapped ? 3 : 2];
  if (head[swapped ? 0 : 1] != 0 || head[swapped ? 2 : 3] != 0) return false;
  if ((group != 2 && group != 8) || "\0\x01\x05\x08\x12\x16"sv.find(element) == head.npos)
    return false;
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const bool has_short_length = !swapped && head[4] % 2 == 0 && head.substr(5, 3) == "\0\0\0"sv;
  return (is_capital(head[4]) && is_capital(head[5])) || has_short_length;
}

/// NetPBM's letter is one of many; a blank follows it.
bool is_netpbm(std::string_view head) {
  return head.size() > 2 && head[0] == 'P' && "1234567fF"sv.find(head[1]) != head.npos &&
         " \t\r\n"sv.find(head[2]) != head.npos;
}

/// UTF-8 or one of the older codes of bytes, without control characters.
bool is_text(std::string_view head) {
  return std::ranges::all_of(head, [](unsigned char c) {
    return c >= 0x20 ? c != 0x7f
                     : "\t\n\r\f"sv.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

std::string_view name_of_text(std::string_view head) {
  if (head.find("<svg") != head.npos) return "an SVG drawing";
  if (head.starts_with("<?xml") || head.starts_with("\xef\xbb\xbf<?xml")) return "an XML file";
  if (head.starts_with("{") || head.starts_with("[")) return "a JSON file";
  const auto line = head.substr(0, head.find('\n'));
  if (std::ranges::any_of(",;\t"sv,
                          [&](char mark) { return std::ranges::count(line, mark) > 0; })) {
    return "a text file, perhaps a table";
  }
  return "a text file";
}

std::string_view named(std::string_view head) {
  for (const Signature& one : signatures) {
    if (head.size() < one.offset) continue;
    if (head.substr(one.offset).starts_with(one.bytes)) return one.name;
  }
  if (is_bare_dicom(head)) return dicom_name;
  if (is_lif(head)) return "a Leica LIF file: export it as OME-TIFF";
  if (is_netpbm(head)) return "a NetPBM image";
  return is_text(head) ? name_of_text(head) : std::string_view();
}

}  // namespace

std::optional<std::string> name_of_content(const InputFile& file) {
  std::array<char, 1024> bytes = {};
  const std::int64_t got = file.read_some(0, std::as_writable_bytes(std::span(bytes)));
  if (got <= 0) return std::nullopt;
  const std::string_view name = named({bytes.data(), static_cast<std::size_t>(got)});
  return name.empty() ? std::nullopt : std::optional<std::string>(name);
}

bool is_dicom(const InputFile& file) { return name_of_content(file) == dicom_name; }

std::optional<std::string> name_of_folder(const std::filesystem::path& path) {
  std::error_code none;
  for (const char* const mark : {".zarray", ".zgroup", "zarr.json"}) {
    if (std::filesystem::exists(path / mark, none)) return "a Zarr folder";
  }
  return std::nullopt;
}

}  // namespace meander::io
