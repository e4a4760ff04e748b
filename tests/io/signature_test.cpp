// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Files that are not read are named for what they are.
#include "io_testing.hpp"

namespace meander::io {
namespace {

/// `bytes` at an offset of a file of 1024 other ones.
std::string at(std::size_t offset, const std::string& bytes) {
  std::string file(1024, '\x03');
  return file.replace(offset, bytes.size(), bytes);
}
std::string binary(const std::string& front) { return at(0, front); }

TEST(Signature, FilesAreNamedForWhatTheyAre) {
  using namespace std::string_literals;
  const std::pair<std::string, std::string> known[] = {
      {binary("\0\0\0\x0cjP  \r\n\x87\n"s), "a JPEG 2000 image, expected TIFF"},
      {binary("\x89HDF\r\n\x1a\n"), "an HDF5 file (also Imaris, NWB and NetCDF 4), expected"},
      {at(512, "\x89HDF\r\n\x1a\n"), "an HDF5 file (also MATLAB 7.3)"},
      {binary("SIMPLE  =                    T"), "a FITS file"},
      {at(208, "MAP "), "an MRC volume"},
      {binary("ZISRAWFILE"), "a Zeiss CZI file: export it as OME-TIFF"},
      {binary("\x70\0\0\0\x20\0\0\0*"s), "a Leica LIF file: export it as OME-TIFF"},
      {binary("\xda\xce\xbe\x0a"), "a Nikon ND2 file: export it as OME-TIFF"},
      {binary("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "an OLE compound file (Olympus OIB"},
      {binary("\xff\xfe[\0"s), "a text file of UTF-16 (Olympus OIF"},
      {binary("MATLAB 5.0 MAT-file"), "a MATLAB file"},
      {binary("CDF\x01"), "a NetCDF file"},
      {binary("RIFF\x20\0\0\0WEBPVP8 "s), "a WebP image"},
      {binary("\0\0\0\x1c\x66typavif"s), "an AVIF image"},
      {binary("\0\0\0\x1c\x66typheic"s), "a HEIF image"},
      {binary("\0\0\0\x1c\x66typisom"s), "an MP4 or QuickTime film"},
      {binary("8BPS\0\x01"s), "a Photoshop image"},
      {binary("v/1\x01\x02"), "an OpenEXR image"},
      {binary("#?RADIANCE\n"), "a Radiance HDR image"},
      {binary("PK\x03\x04"), "a ZIP archive (also NPZ)"},
      {binary("%PDF-1.7"), "a PDF document"},
      {binary("P5 4 4 255\n"), "a NetPBM image"},
      {"<?xml version=\"1.0\"?>\n<svg width=\"3\">", "an SVG drawing"},
      {"<?xml version=\"1.0\"?>\n<OME>", "an XML file"},
      {"{\"type\": \"FeatureCollection\"}", "a JSON file"},
      {"x,y\n1,2\n", "a text file, perhaps a table"},
      {"Grüße\nand so on\n", "a text file, expected TIFF"},
  };
  const Folder folder;
  for (const auto& [bytes, name] : known) {
    save(folder / "a.tif", bytes);
    const Thrown thrown = error_of_reading(folder / "a.tif");
    expect_error(thrown, "Unsupported", folder / "a.tif", "found " + name);
  }
}

const std::string dicom = "found a DICOM file: convert it with dcm2niix";

TEST(Signature, DicomIsNamedWhateverItBeginsWith) {
  using namespace std::string_literals;
  const Folder folder;
  const auto named = [&](const std::string& bytes) {
    save(folder / "a.dcm", bytes);
    expect_error(error_of_reading(folder / "a.dcm"), "Unsupported", folder / "a.dcm", dicom);
  };
  const std::string fronts[] = {std::string(8, '\0'), "II*\0\x08\0\0\0"s,
                                "MM\0*\0\0\0\x08"s,   "II+\0\x08\0\0\0"s,
                                "\x5c\x01\0\0"s,      "\0\0\x01\x5c"s,
                                "\x1c\x02\0\0"s,      "GIF89a",
                                "\x89PNG\r\n\x1a\n",  "\xff\xd8\xff\xe0",
                                "NRRD0004\n",         "\x93NUMPY",
                                "\x1f\x8b\x08",       "text"};
  for (const std::string& front : fronts) {
    std::string file(2000, '\0');
    file.replace(0, front.size(), front);
    file.replace(128, 4, "DICM");
    SCOPED_TRACE(front);
    named(file);
  }
  named("\x02\0\0\0UL\x04\0\xbe\0\0\0"s);       // no preamble
  named("\0\x08\0\x05\x43S\0\x0aISO_IR 100"s);  // the other byte order
  named("\x08\0\x05\0\x0a\0\0\0ISO_IR 100"s);   // neither header nor types
}

TEST(Signature, AnImageThatIsDicomTooIsAnImage) {
  if (!has_format("TIFF")) GTEST_SKIP() << "this build has no TIFF";
  const Folder folder;
  // The directory lies behind DICOM's mark, and all its values in its entries.
  std::string dual = std::string("II*\0", 4);
  const std::uint32_t begin = 160;
  const auto number = [](std::uint32_t value, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += static_cast<char>(value >> (8 * i));
    return text;
  };
  dual += number(begin, 4);
  dual.resize(128, '\0');
  dual += "DICM";
  dual.resize(begin, '\0');
  const std::uint32_t pixels = begin + 2 + 8 * 12 + 4;
  const std::uint32_t entries[8][2] = {{256, 4}, {257, 3},      {258, 8}, {259, 1},
                                       {262, 1}, {273, pixels}, {278, 3}, {279, 12}};
  dual += number(8, 2);
  for (const auto& [tag, value] : entries)
    dual += number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4);
  dual += number(0, 4) + "twelve bytes";
  save(folder / "dual.dcm", dual);
  EXPECT_EQ(bytes_of(read(folder / "dual.dcm")), "twelve bytes");
}

TEST(Signature, ZarrFoldersAreNamed) {
  const Folder folder;
  std::filesystem::create_directory(folder / "a.zarr");
  expect_error(error_of_reading(folder / "a.zarr"), "FileSystemError", folder / "a.zarr",
               "Is a directory");
  save(folder / "a.zarr/.zgroup", "{}");
  expect_error(error_of_reading(folder / "a.zarr"), "Unsupported", folder / "a.zarr",
               "found a Zarr folder");
}

}  // namespace
}  // namespace meander::io
