// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/find.hpp"

#include <gtest/gtest.h>

namespace meander {
namespace {

TEST(FindOptions, AreSaidByName) {
  const FindOptions options{
      .model = SegmentModel::region_and_edge,
      .region = {.search = {.noise = NoiseModel::gaussian, .shape = OutlineShape::polygon},
                 .min_area = 20},
      .edge = {.sigma = 2, .snake = {.alpha = 0.2, .open = OpenEnds::fixed}}};
  EXPECT_EQ(options.region.search.noise, NoiseModel::gaussian);
  EXPECT_EQ(options.region.min_area, 20);
  EXPECT_EQ(options.edge.snake.open, OpenEnds::fixed);
  EXPECT_THROW(validate(ObjectOptions{.search = {.min_segment = 1}}), InvalidArgument);
  EXPECT_THROW(validate(EdgeOptions{.snake = {.alpha = -1}}), InvalidArgument);
  EXPECT_NO_THROW(validate(options.region));
  EXPECT_NO_THROW(validate(options.edge));
}

}  // namespace
}  // namespace meander
