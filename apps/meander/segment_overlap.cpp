// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "input_image.hpp"
#include "segment.hpp"

namespace meander::app {
namespace {

struct Counts {
  std::int64_t both = 0, either = 0;
};

/// Plain loops over bytes and numbers, which compilers turn into vectors.
template <class T>
void count_row(const T* truth, const std::uint8_t* found, std::int64_t count, Counts& counts) {
  std::int64_t both = 0, either = 0;
  for (std::int64_t x = 0; x < count; ++x) {
    const bool is_inside = found[x] != 0, is_true = to_double(truth[x]) != 0;
    both += is_inside && is_true ? 1 : 0;
    either += is_inside || is_true ? 1 : 0;
  }
  counts.both += both;
  counts.either += either;
}

void count(const Image& truth, const Image& found, Counts& counts) {
  visit(truth.type(), [&]<class T>(std::type_identity<T>) {
    for (std::int64_t y = 0; y < truth.shape().y; ++y) {
      count_row(truth.row<T>(y), found.row<std::uint8_t>(y), truth.shape().x, counts);
    }
  });
}

}  // namespace

double overlap_with(Session& session, io::Reader& truth, const std::vector<Polygon>& outlines) {
  Description mask = truth.description();
  mask.type = PixelType::u8;
  mask.channels = 1;
  const SlabPlan plan = plan_slabs(
      mask.shape, padded_bytes(slab_step(mask)) + padded_bytes(slab_step(truth.description())));
  Counts counts;
  for_each_slab(session, plan, [&](std::int64_t begin, std::int64_t end, const Control& control) {
    const Control stop{.stop = control.stop};
    const Image part = session.report().timed(
        "read", [&] { return first_channels(truth.slab(begin, end, stop), 1); });
    mask.shape.y = end - begin;
    Image found = Image::allocate(mask);
    fill_mask(outlines, found, begin, stop);
    count(part, found, counts);
  });
  return counts.either == 0 ? 1
                            : static_cast<double>(counts.both) / static_cast<double>(counts.either);
}

}  // namespace meander::app
