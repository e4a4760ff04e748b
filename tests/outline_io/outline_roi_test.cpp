// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>
#include <map>

#include "meander/error.hpp"
#include "meander/outline_text.hpp"

/// Against the Python package roifile: roi_golden.txt is written by roi_golden.py.
namespace meander {
namespace {

std::map<std::string, std::string> golden_files() {
  std::map<std::string, std::string> files;
  std::ifstream file(MEANDER_ROI_GOLDEN);
  for (std::string name, bytes; file >> name >> bytes;) files[name] = bytes;
  return files;
}

std::string hexadecimal(const std::string& bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += {digits[value / 16], digits[value % 16]};
  }
  return text;
}

Polygon ring_of(const std::vector<std::array<double, 2>>& points) {
  Polygon ring;
  for (const auto& [x, y] : points) ring.vertices.push_back(on_grid(x, y));
  return ring;
}

const Polygon triangle = ring_of({{0.5, -0.75}, {30.25, 2}, {4, 40.00390625}});
const Polygon hole = ring_of({{5, 5}, {5, 8.5}, {9.125, 5}});
const Polygon other_hole = ring_of({{12, 4}, {12, 6}, {14, 6}, {14, 4}});

Outline outline_of(std::int64_t id, const Polygon& polygon, std::vector<Polygon> holes = {}) {
  Outline outline;
  outline.id = id;
  outline.polygon = polygon;
  outline.holes = std::move(holes);
  return outline;
}

TEST(OutlineRoi, PolygonsAreThoseOfOthersToTheByte) {
  EXPECT_EQ(hexadecimal(outline_as_roi(outline_of(7, triangle))), golden_files()["polygon"]);
}

TEST(OutlineRoi, HolesMakeAComposite) {
  const Outline ring = outline_of(12345, triangle, {hole, other_hole});
  EXPECT_EQ(hexadecimal(outline_as_roi(ring)), golden_files()["composite"]);
}

TEST(OutlineRoi, OpenCurvesAreLines) {
  const Curve open{.points = triangle.vertices, .is_open = true};
  EXPECT_EQ(hexadecimal(outline_as_roi(open)), golden_files()["polyline"]);
  const Curve closed{.points = triangle.vertices};
  EXPECT_EQ(outline_as_roi(closed, 7), outline_as_roi(outline_of(7, triangle)));
}

TEST(OutlineRoi, WholeCoordinatesStayWithinTheirBits) {
  const Polygon far = ring_of({{-12.5, 3}, {65535, 9}, {40000.5, 60000}});
  EXPECT_EQ(hexadecimal(outline_as_roi(outline_of(2, far))), golden_files()["far"]);
}

TEST(OutlineRoi, MoreNodesThanCanBeCountedMakeAComposite) {
  Curve fine;
  for (int k = 0; k < 65535; ++k) fine.points.push_back({k, k % 2});
  EXPECT_EQ(outline_as_roi(fine).size(), 64 + 12 * 65535 + 64 + 2 * 4);
  fine.points.push_back({65535, 0});
  EXPECT_EQ(outline_as_roi(fine).size(), 64 + 4 * (3 * 65536 + 1) + 64 + 2 * 4);
  fine.is_open = true;
  EXPECT_THROW(outline_as_roi(fine), Unsupported);
}

TEST(OutlineRoi, WhatHasNoPointIsRefused) {
  EXPECT_THROW(outline_as_roi(Outline{}), InvalidArgument);
  EXPECT_THROW(outline_as_roi(Curve{}), InvalidArgument);
}

/// A number of an archive, its lowest byte first.
std::size_t number_at(const std::string& bytes, std::size_t place, int count) {
  std::size_t value = 0;
  for (int i = count - 1; i >= 0; --i) {
    value = 256 * value + static_cast<unsigned char>(bytes.at(place + static_cast<std::size_t>(i)));
  }
  return value;
}

/// Names and contents, by way of the listing at the end; sizes and checksums are looked at.
std::vector<std::pair<std::string, std::string>> entries_of(const std::string& archive) {
  std::vector<std::pair<std::string, std::string>> entries;
  const std::size_t end = archive.size() - 22;
  EXPECT_EQ(archive.substr(end, 4), "PK\5\6");
  std::size_t place = number_at(archive, end + 16, 4);
  EXPECT_EQ(place + number_at(archive, end + 12, 4), end);
  for (std::size_t i = 0; i < number_at(archive, end + 10, 2); ++i) {
    EXPECT_EQ(archive.substr(place, 4), "PK\1\2");
    const std::size_t head = number_at(archive, place + 42, 4);
    const std::size_t size = number_at(archive, place + 24, 4);
    const std::size_t name_length = number_at(archive, place + 28, 2);
    EXPECT_EQ(archive.substr(head, 4), "PK\3\4");
    EXPECT_EQ(archive.substr(head + 4, 24), archive.substr(place + 6, 24));
    const std::string bytes = archive.substr(head + 30 + name_length, size);
    EXPECT_EQ(number_at(archive, place + 16, 4),
              crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), size));
    entries.emplace_back(archive.substr(head + 30, name_length), bytes);
    place += 46 + name_length;
  }
  EXPECT_EQ(place, end);
  return entries;
}

TEST(OutlineRoi, AnArchiveHoldsAllByTheirIds) {
  SegmentResult result;
  result.outlines = {outline_of(2, triangle), outline_of(31, triangle, {hole})};
  const std::string archive = outlines_as_roi_zip(result);
  const auto entries = entries_of(archive);
  ASSERT_EQ(entries.size(), 2);
  EXPECT_EQ(entries[0], std::pair(std::string("0002.roi"), outline_as_roi(result.outlines[0])));
  EXPECT_EQ(entries[1], std::pair(std::string("0031.roi"), outline_as_roi(result.outlines[1])));
  EXPECT_EQ(archive, outlines_as_roi_zip(result));
  EXPECT_TRUE(entries_of(outlines_as_roi_zip(SegmentResult{})).empty());
}

TEST(OutlineRoi, CurvesThatVanishedAreLeftOutOfAnArchive) {
  EdgeResult result;
  result.outlines.resize(3);
  result.outlines[0].curve = {.points = triangle.vertices};
  result.outlines[2].curve = {.points = hole.vertices, .is_open = true};
  const auto entries = entries_of(outlines_as_roi_zip(result));
  ASSERT_EQ(entries.size(), 2);
  EXPECT_EQ(entries[1].first, "0003.roi");
  EXPECT_EQ(entries[1].second, outline_as_roi(result.outlines[2].curve, 3));
}

TEST(OutlineRoi, AnArchiveCountsTo65535) {
  SegmentResult result;
  result.outlines.assign(65535, outline_of(1, hole));
  EXPECT_EQ(entries_of(outlines_as_roi_zip(result)).size(), 65535);
  result.outlines.push_back(outline_of(1, hole));
  EXPECT_THROW(outlines_as_roi_zip(result), Unsupported);
}

}  // namespace
}  // namespace meander
