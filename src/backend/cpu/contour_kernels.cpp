// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Compiled once per instruction-set level; see kernels.hpp for what may be included here.
#include "backend/cpu/kernels.hpp"

#include "backend/cpu/pixel_sums.hpp"

namespace meander::cpu {
namespace {

using wide = std::int64_t;
#define CROSSING [[gnu::always_inline]] static inline
#include "rules/crossing.h"
#undef CROSSING

/// Σz and Σz² where they are added one by one: two integers then are faster than a vector.
struct Pair {
  std::uint64_t sum = 0, squares = 0;
  Pair& operator+=(const Pair& b) {
    sum += b.sum, squares += b.squares;
    return *this;
  }
};
inline void store_pair(std::uint64_t* to, Pair pair) { to[0] = pair.sum, to[1] = pair.squares; }
inline void store_pair(std::uint64_t* to, Two pair) { store_two(to, pair); }
inline void add_pair(std::uint64_t* to, Pair pair) { to[0] += pair.sum, to[1] += pair.squares; }
inline void add_pair(std::uint64_t* to, Two pair) { store_two(to, load_two(to) + pair); }

template <class T>
inline Pair pair_of_few(const T* pixels, std::int64_t count) {
  Pair pair;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t value = value_of(pixels[i]);
    pair += {value, value * value};
  }
  return pair;
}

template <class T, int group>
[[gnu::always_inline]] inline auto group_pair(const T* pixels) {
  if constexpr (group < 8) {
    return pair_of_few(pixels, group);
  } else {
    return pair_of_group<group>(pixels);
  }
}

template <class T, int group, bool store, bool add>
[[gnu::always_inline]] inline void cumulate_groups(const T* pixels, std::int64_t count,
                                                   std::int64_t stride, std::uint64_t* stored,
                                                   std::uint64_t* blocks) {
  decltype(group_pair<T, group>(pixels)) before{};
  std::int64_t groups = count / group;
  const T* const rest = pixels + groups * group;
  const auto add_groups = [&](std::int64_t some) __attribute__((always_inline)) {
    for (const T* const end = pixels + some * group; pixels < end; pixels += group) {
      const auto pair = group_pair<T, group>(pixels);
      before += pair;
      if constexpr (add) add_pair(blocks, pair), blocks += 2;
    }
  };
  for (; store && groups >= stride; groups -= stride) {
    store_pair(stored, before), stored += 2;
    add_groups(stride);
  }
  if constexpr (store) store_pair(stored, before);
  if constexpr (add) add_groups(groups);
  if (add && count % group != 0) add_pair(blocks, pair_of_few(rest, count % group));
}

template <class T, int group>
void cumulate_row(const void* row, std::int64_t count, std::int64_t stride, std::uint64_t* stored,
                  std::uint64_t* blocks) {
  const T* pixels = static_cast<const T*>(row);
  if (stored != nullptr && blocks != nullptr) {
    cumulate_groups<T, group, true, true>(pixels, count, stride, stored, blocks);
  } else if (stored != nullptr) {
    cumulate_groups<T, group, true, false>(pixels, count, stride, stored, blocks);
  } else {
    cumulate_groups<T, group, false, true>(pixels, count, stride, stored, blocks);
  }
}

/// Where an edge crosses one row after another, by sums instead of divisions: the column is
/// floor(ahead / divisor), with `ahead` the numerator of column_of_edge plus divisor - 1.
class Crossing {
 public:
  Crossing(const edge_rows& edge, std::int64_t row) : divisor_(edge.divisor) {
    const wide ahead = edge.numerator + (row - edge.first) * edge.advance + (edge.divisor - 1);
    column_ = floor_quotient(ahead);
    missing_ = ahead - column_ * divisor_ - divisor_;
    columns_a_row_ = floor_quotient(edge.advance);
    rest_a_row_ = edge.advance - columns_a_row_ * divisor_;
  }

  template <bool roomy>
  std::int64_t column(std::int64_t columns) const {
    return roomy ? column_ : between(column_, 0, columns);
  }
  [[gnu::always_inline]] void next_row() {
    missing_ += rest_a_row_;
    const wide carries = ~(missing_ >> 63);  // no branch: which rows carry nobody can predict
    column_ += columns_a_row_ - carries;
    missing_ -= divisor_ & carries;
  }

 private:
  /// Exact. Doubles divide in a fraction of the time of 64-bit integers; of numbers that they hold
  /// they give the quotient cut off towards 0, or one more where it is next to a whole number: both
  /// are right or one too high.
  wide floor_quotient(wide a) const {
    constexpr wide held = wide{1} << 52;
    const wide quotient =
        a > -held && a < held
            ? static_cast<wide>(static_cast<double>(a) / static_cast<double>(divisor_))
            : a / divisor_;
    return quotient - (a - quotient * divisor_ < 0 ? 1 : 0);
  }
  wide divisor_, column_, columns_a_row_, rest_a_row_;
  wide missing_;  ///< What is left of the division, less the divisor.
};

inline RowRange common(RowRange a, RowRange b) {
  return {a.first > b.first ? a.first : b.first, a.end < b.end ? a.end : b.end};
}

inline PixelTotals signed_totals(std::int64_t sign, const PixelTotals& t) {
  return sign > 0 ? t : PixelTotals{-t.count, -t.sum, -t.squares};
}

/// Whether an edge that ends here crosses rows in columns 8 to columns - 1 alone: then nothing has
/// to be held within the row, nor a vector that ends at a crossing.
inline bool is_roomy(std::int64_t x, const SumRows& sums) {
  return x - sums.origin >= 8 * sums.unit && x - sums.origin <= (sums.columns - 1) * sums.unit;
}

/// A known step of 0: it is known at run time only.
template <class T, bool roomy, int known_step>
[[gnu::always_inline]] inline PixelTotals sum_rows(const SumRows& sums, const edge_rows& edge,
                                                   RowRange range) {
  const std::int64_t step = known_step > 0 ? known_step : sums.step;
  const PixelRows& image = sums.pixels;
  Crossing crossing(edge, range.first);
  RunningSums rest;
  Two pair{};
  std::uint64_t count = 0, in_rest = 0;
  const std::byte* words = sums.first + range.first * sums.pitch;
  const std::byte* pixels = image.first + (step > 1 ? range.first * image.pitch : 0);
  for (std::int64_t row = range.first; row < range.end; ++row) {
    const std::int64_t column = crossing.column<roomy>(sums.columns);
    const auto stored = static_cast<std::int64_t>(static_cast<std::uint64_t>(column) /
                                                  static_cast<std::uint64_t>(step));
    pair += load_two(reinterpret_cast<const std::uint64_t*>(words) + 2 * stored);
    count += static_cast<std::uint64_t>(
        step > 1 ? column : pixels_before(column, row, sums.block, image.columns, image.rows));
    if (step > 1) {
      const std::int64_t first = stored * step;
      add_run<roomy>(rest, reinterpret_cast<const T*>(pixels), first, column, image.columns);
      in_rest += static_cast<std::uint64_t>(column - first);
      pixels += image.pitch;
    }
    words += sums.pitch;
    crossing.next_row();
  }
  pair += rest.pair(in_rest);
  return signed_totals(edge.sign, {count, pair[0], pair[1]});
}

template <class T, bool roomy>
PixelTotals sum_rows_of(const SumRows& sums, const edge_rows& edge, RowRange rows) {
  if (sums.step == 1) return sum_rows<T, roomy, 1>(sums, edge, rows);
  if (sums.step == 32) return sum_rows<T, roomy, 32>(sums, edge, rows);
  return sum_rows<T, roomy, 0>(sums, edge, rows);
}

template <class T>
PixelTotals sum_edge(const SumRows& sums, Corner from, Corner to, RowRange range) {
  const edge_rows edge =
      rows_of_edge(from.x, from.y, to.x, to.y, sums.unit, sums.origin, sums.rows);
  const RowRange rows = common({edge.first, edge.end}, range);
  if (rows.first >= rows.end) return {};
  return is_roomy(from.x, sums) && is_roomy(to.x, sums) ? sum_rows_of<T, true>(sums, edge, rows)
                                                        : sum_rows_of<T, false>(sums, edge, rows);
}

struct RunTotals {
  RunningSums sums;
  std::uint64_t count = 0;
};

/// The pixels between two edges in some rows; `left` is nowhere right of `right`.
template <class T, bool roomy>
[[gnu::always_inline]] inline void add_between(RunTotals& totals, const PixelRows& image,
                                               Crossing& left, Crossing& right, RowRange range) {
  const std::byte* pixels = image.first + range.first * image.pitch;
  for (std::int64_t row = range.first; row < range.end; ++row) {
    const std::int64_t first = left.column<roomy>(image.columns);
    const std::int64_t end = right.column<roomy>(image.columns);
    totals.count += static_cast<std::uint64_t>(end - first);
    add_run<roomy>(totals.sums, reinterpret_cast<const T*>(pixels), first, end, image.columns);
    pixels += image.pitch;
    left.next_row();
    right.next_row();
  }
}

inline edge_rows side_of(Corner from, Corner to, const PixelRows& image) {
  return rows_of_edge(from.x, from.y, to.x, to.y, 256, 0, image.rows);
}
inline bool is_roomy(std::int64_t x, const PixelRows& image) {
  return x >= 8 * 256 && x <= (image.columns - 1) * 256;
}

/// Corners from the top down: one side covers every row of the triangle, the two others share them;
/// and these lie on one side of the first in all rows.
template <class T, bool roomy>
PixelTotals sum_sorted(const PixelRows& image, Corner a, Corner b, Corner c, RowRange range) {
  const edge_rows whole = side_of(a, c, image);
  const RowRange rows = common({whole.first, whole.end}, range);
  if (rows.first >= rows.end) return {};
  const bool bends_right = doubled_area(a, b, c) > 0;
  RunTotals totals;
  Crossing along(whole, rows.first);
  for (int part = 0; part < 2; ++part) {
    const edge_rows other = part == 0 ? side_of(a, b, image) : side_of(b, c, image);
    const RowRange common_rows = common({other.first, other.end}, rows);
    if (common_rows.first >= common_rows.end) continue;
    Crossing across(other, common_rows.first);
    bends_right ? add_between<T, roomy>(totals, image, along, across, common_rows)
                : add_between<T, roomy>(totals, image, across, along, common_rows);
  }
  const Two pair = totals.sums.pair(totals.count);
  return {totals.count, pair[0], pair[1]};
}

inline void sort_by_row(Corner& a, Corner& b) {
  if (b.y >= a.y) return;
  const Corner kept = a;
  a = b;
  b = kept;
}

template <class T>
PixelTotals sum_triangle(const PixelRows& image, Corner a, Corner b, Corner c, RowRange range) {
  const std::int64_t area = doubled_area(a, b, c);
  if (area == 0) return {};
  sort_by_row(a, b);
  sort_by_row(b, c);
  sort_by_row(a, b);
  const bool roomy = is_roomy(a.x, image) && is_roomy(b.x, image) && is_roomy(c.x, image);
  const PixelTotals totals = roomy ? sum_sorted<T, true>(image, a, b, c, range)
                                   : sum_sorted<T, false>(image, a, b, c, range);
  return signed_totals(area, totals);
}

}  // namespace

#define MEANDER_GROUPS(T)                                                           \
  {                                                                                 \
    cumulate_row<T, 1>, cumulate_row<T, 2>, cumulate_row<T, 4>, cumulate_row<T, 8>, \
        cumulate_row<T, 16>, cumulate_row<T, 32>, cumulate_row<T, 64>               \
  }
#define MEANDER_OF_CONTOUR_TYPES(function) \
  { function<std::uint8_t>, function<std::uint16_t>, function<std::int16_t> }

namespace MEANDER_ISA {

extern const ContourKernels contour_kernels;
const ContourKernels contour_kernels = {
    {MEANDER_GROUPS(std::uint8_t), MEANDER_GROUPS(std::uint16_t), MEANDER_GROUPS(std::int16_t)},
    MEANDER_OF_CONTOUR_TYPES(sum_edge),
    MEANDER_OF_CONTOUR_TYPES(sum_triangle)};

}  // namespace MEANDER_ISA
}  // namespace meander::cpu
