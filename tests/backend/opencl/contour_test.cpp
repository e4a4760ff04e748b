// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// What of contours is OpenCL's own: sums of 64 bits where there are no doubles of 64, blocks that
// are alive until they have been read. That the sums are right is for the conformance suite to say.
#include "backend/opencl/opencl_test.hpp"

namespace meander::opencl {
namespace {

using engine::ContourEdge;
using engine::ContourTriangle;
using engine::CumulatedSums;
using engine::RegionSums;
using engine::View;

class OpenClContour : public OpenClTest {
 protected:
  void SetUp() override {
    OpenClTest::SetUp();
    if (IsSkipped()) return;
    device = open(find_devices().devices[0]);
    ASSERT_FALSE(device->info().has_float64);
  }
  /// 3 x 2 pixels with odd gaps: 65535, 65534 and 2 above, 10, 20 and 30 below.
  View pixels() {
    const View host = on_host(placed(PixelType::u16, {3, 2, 1}, 1, {.start = 3, .row = 2}));
    constexpr std::uint16_t rows[2][3] = {{65535, 65534, 2}, {10, 20, 30}};
    for (int y = 0; y < 2; ++y) std::memcpy(host.host_row(y), rows[y], sizeof rows[y]);
    return uploaded(*device, host);
  }
  CumulatedSums sums_for(const View& image, std::int64_t block) {
    CumulatedSums sums{.sums = {}, .pixels = {}, .image = image.shape, .block = block, .step = 1};
    const Shape words{sums.words_in_row(), sums.rows(), 1};
    sums.sums = on_device(*device, placed(PixelType::f64, words, 1, {.start = 1, .row = 1}));
    return sums;
  }
  const Setting off{"MEANDER_OPENCL_FP64", "off"};
};

/// Down the image's right side, which has all pixels left of it, and up its left one, which has
/// none.
constexpr ContourEdge right{{3 * 256, 0}, {3 * 256, 2 * 256}}, left{{0, 2 * 256}, {0, 0}};
constexpr RegionSums all{
    6, 131131, 65535u * std::uint64_t{65535} + 65534u * std::uint64_t{65534} + 4 + 100 + 400 + 900};

TEST_F(OpenClContour, SumsNeedNoFloat64) {
  const View image = pixels();
  const CumulatedSums rows = sums_for(image, 1), blocks = sums_for(image, 2);
  device->cumulate(image, rows, blocks);
  const ContourEdge edges[] = {right, left, {right.to, right.from}};
  RegionSums found[3];
  for (const CumulatedSums& sums : {rows, blocks}) {
    device->sum_edges(sums, edges, found);
    EXPECT_EQ(found[0], all);
    EXPECT_EQ(found[1], RegionSums{});
    EXPECT_EQ(found[2], RegionSums{} - all);
  }
  const ContourTriangle triangles[] = {{{-2560, -256}, {2560, -256}, {256, 5120}}};
  device->sum_triangles(image, triangles, found);
  EXPECT_EQ(found[0], all);
}

/// Every block loses its last owner before the device has touched it.
TEST_F(OpenClContour, BlocksLiveUntilTheyHaveBeenUsed) {
  const CumulatedSums coarse = sums_for(placed(PixelType::u16, {3, 2, 1}, 1, {}), 4);
  {
    const View image = pixels();
    const CumulatedSums fine = sums_for(image, 2);
    device->cumulate(image, {}, fine);
    device->coarsen(fine, coarse);
  }
  RegionSums found;
  // The only cell has its centre one and a half pixels below the first row's.
  const ContourEdge edges[] = {{{2 * 256, 0}, {2 * 256, 2 * 256}}};
  device->sum_edges(coarse, edges, &found);
  EXPECT_EQ(found, all);
}

}  // namespace
}  // namespace meander::opencl
