// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Compiled once per instruction-set level; see backend/cpu/kernels.hpp for what may be included
// here.
#include "backend/cpu/kernels.hpp"

#include "backend/cpu/stencil/rules.hpp"
#include "engine/ghost.hpp"

namespace meander::cpu {
namespace {

template <class Real>
constexpr int block_cells = 2 * vector_lanes<Real>;

/// The cells of a block of two vectors that stand at even places, or at odd ones.
template <int first, class V, std::size_t... Lane>
[[gnu::always_inline]] inline V every_other(V low, V high, std::index_sequence<Lane...>) {
  return __builtin_shufflevector(low, high, static_cast<int>(2 * Lane + first)...);
}
template <int first, class Real>
[[gnu::always_inline]] inline Vector<Real> load_every_other(const Real* from) {
  constexpr auto lanes = std::make_index_sequence<vector_lanes<Real>>{};
  return every_other<first>(load_vector(from), load_vector(from + vector_lanes<Real>), lanes);
}

/// Half `part` of the block that has `even` at even places.
template <int part, class V, std::size_t... Lane>
[[gnu::always_inline]] inline V woven(V even, V odd, std::index_sequence<Lane...>) {
  constexpr int lanes = sizeof...(Lane);
  return __builtin_shufflevector(
      even, odd, ((static_cast<int>(Lane) + part * lanes) / 2 + (Lane & 1 ? lanes : 0))...);
}
template <class Real>
[[gnu::always_inline]] inline void store_woven(Real* to, Vector<Real> even, Vector<Real> odd) {
  constexpr auto lanes = std::make_index_sequence<vector_lanes<Real>>{};
  store_vector(to, woven<0>(even, odd, lanes));
  store_vector(to + vector_lanes<Real>, woven<1>(even, odd, lanes));
}

template <class Real, std::size_t... Lane>
[[gnu::always_inline]] inline Vector<Real> lane_numbers(std::index_sequence<Lane...>) {
  return Vector<Real>{static_cast<Real>(Lane)...};
}

/// A block on its way: the cells that are stepped, those between them, and what the rule reads.
template <class Rule, int first, class Real>
struct Block {
  Vector<Real> own, other, around{}, field[most_stencil_fields];
};

/// The block at x. `beyond` holds the one neighbour that is not in it: in its last lane the one to
/// the left of cell 0 or, where odd cells are stepped, in its first the one to the right of the
/// last.
template <class Rule, bool deep, int first, class Real>
[[gnu::always_inline]] inline Block<Rule, first, Real> read_block(
    const StencilLine<Real>& line, std::int64_t x, Vector<Real> beyond,
    const Spread<Rule, Real>& spread, const StencilNumbers<Real>& numbers) {
  constexpr auto lanes = std::make_index_sequence<vector_lanes<Real>>{};
  Block<Rule, first, Real> block;
  block.own = load_every_other<first>(line.centre[0] + x);
  block.other = load_every_other<1 - first>(line.centre[0] + x);
  if constexpr ((Rule::around & 1) != 0) {
    const Vector<Real> moved = first == 0 ? shifted_in<Real>(beyond, block.other, lanes)
                                          : shifted_out<Real>(block.other, beyond, lanes);
    const auto across = [&](int axis) __attribute__((always_inline)) {
      return pair_of<Rule::differences>(load_every_other<first>(line.before[axis][0] + x),
                                        load_every_other<first>(line.after[axis][0] + x),
                                        block.own);
    };
    // An axis of weight 0 has no neighbours: what stands there must not count even as NaN.
    block.around = numbers.axis[0] != 0
                       ? pair_of<Rule::differences>(first == 0 ? moved : block.other,
                                                    first == 0 ? block.other : moved, block.own) *
                             spread.axis[0]
                       : Vector<Real>{};
    if (numbers.axis[1] != 0) block.around = mad(across(0), spread.axis[1], block.around);
    if constexpr (deep) block.around = mad(across(1), spread.axis[2], block.around);
  }
  unrolled<Rule::fields>([&](auto f) __attribute__((always_inline)) {
    block.field[f] = load_every_other<first>(line.field[f] + x);
  });
  return block;
}

/// Steps the block and writes it, but for its first `done` cells of either kind, which have been.
template <class Rule, int first, class Real>
[[gnu::always_inline]] inline void write_block(const Block<Rule, first, Real>& block, Real* to,
                                               const Spread<Rule, Real>& spread, int done) {
  constexpr auto lanes = std::make_index_sequence<vector_lanes<Real>>{};
  Vector<Real> next;
  Rule::next(&block.own, &block.around, block.field, spread.p, &next);
  if (done > 0) {
    const Vector<Real> bound = broadcast(static_cast<Real>(done));
    next = lane_numbers<Real>(lanes) < bound ? load_every_other<first>(to) : next;
  }
  if constexpr (first == 0) {
    store_woven(to, next, block.other);
  } else {
    store_woven(to, block.other, next);
  }
}

/// A line shorter than a block, through a copy with what stands beyond its ends around it.
template <class Rule, bool deep, int first, class Real>
void relax_few(const StencilLine<Real>& line, const Spread<Rule, Real>& spread,
               const StencilNumbers<Real>& numbers) {
  constexpr int room = block_cells<Real>;
  Real copies[5][room] = {}, fields[most_stencil_fields][room] = {}, result[room];
  const auto count = static_cast<std::size_t>(line.length) * sizeof(Real);
  StencilLine<Real> copy{};
  const auto take = [&](const Real* from, Real* to) {
    __builtin_memcpy(to, from, count);
    return to;
  };
  copy.centre[0] = take(line.centre[0], copies[0]);
  copies[0][line.length] = line.centre[0][numbers.ghost_right];
  for (int axis = 0; (Rule::around & 1) != 0 && axis < (deep ? 2 : 1); ++axis) {
    copy.before[axis][0] = take(line.before[axis][0], copies[1 + axis]);
    copy.after[axis][0] = take(line.after[axis][0], copies[3 + axis]);
  }
  for (int f = 0; f < Rule::fields; ++f) copy.field[f] = take(line.field[f], fields[f]);
  const Vector<Real> beyond = broadcast(line.centre[0][numbers.ghost_left]);
  write_block<Rule, first>(read_block<Rule, deep, first>(copy, 0, beyond, spread, numbers), result,
                           spread, 0);
  __builtin_memcpy(line.next[0], result, count);
}

/// The block that ends where the line does, of which `done` cells have been stepped before.
/// `beyond` is as in read_block; after other blocks nothing to the left of it is missing.
template <class Rule, bool deep, int first, class Real>
[[gnu::always_inline]] inline void relax_last(const StencilLine<Real>& line, int done,
                                              Vector<Real> beyond, const Spread<Rule, Real>& spread,
                                              const StencilNumbers<Real>& numbers) {
  const std::int64_t x = line.length - block_cells<Real>;
  const auto block = read_block<Rule, deep, first>(line, x, beyond, spread, numbers);
  write_block<Rule, first>(block, line.next[0] + x, spread, (done + 1 - first) / 2);
}

/// Blocks from the left, and one that ends where the line does.
template <class Rule, bool deep, int first, class Real>
[[gnu::always_inline]] inline void relax_from(const StencilLine<Real>& line,
                                              const Spread<Rule, Real>& spread,
                                              const StencilNumbers<Real>& numbers) {
  constexpr int cells = block_cells<Real>;
  const std::int64_t last = line.length - cells;
  const Real* centre = line.centre[0];
  // Before any is written: with the clamp border they are cells that will be.
  const Vector<Real> right = broadcast(centre[numbers.ghost_right]);
  Vector<Real> left = broadcast(centre[numbers.ghost_left]);
  std::int64_t x = 0;
  for (; x < last; x += cells) {
    // To the left are cells of the block before, which are not read again: the processor would wait
    // until they have been written.
    const Vector<Real> beyond = first == 0 ? left : broadcast(centre[x + cells]);
    const auto block = read_block<Rule, deep, first>(line, x, beyond, spread, numbers);
    left = block.other;
    write_block<Rule, first>(block, line.next[0] + x, spread, 0);
  }
  const auto done = static_cast<int>(x - last);
  if (done % 2 == 0) {
    relax_last<Rule, deep, first>(line, done, first == 0 ? left : right, spread, numbers);
  } else {  // cells that are even in the line are odd in the block
    relax_last<Rule, deep, 1 - first>(line, done, first == 1 ? left : right, spread, numbers);
  }
}

template <class Rule, bool deep, class Real>
void relax_line(const StencilLine<Real>& given, const StencilNumbers<Real>& numbers, int first) {
  StencilLine<Real> line;  // a copy of what is used, so that no store can change a pointer
  copy_pointers<Rule, deep ? volume : plane>(given, line);
  const Spread<Rule, Real> spread(numbers);
  if (line.length < block_cells<Real>) {
    first == 0 ? relax_few<Rule, deep, 0>(line, spread, numbers)
               : relax_few<Rule, deep, 1>(line, spread, numbers);
  } else {
    first == 0 ? relax_from<Rule, deep, 0>(line, spread, numbers)
               : relax_from<Rule, deep, 1>(line, spread, numbers);
  }
}

template <class Real>
[[gnu::always_inline]] inline Vector<Real> sum_of(const Real* const* lines, int count,
                                                  std::int64_t x) {
  Vector<Real> sum = load_vector(lines[0] + x);
  for (int i = 1; i < count; ++i) sum += load_vector(lines[i] + x);
  return sum;
}

/// One cell, `width` fine ones wide.
template <class Real>
inline Real mean_of(const Real* const* lines, int count, std::int64_t x, int width, Real factor) {
  Real sums[2] = {};
  for (int along = 0; along < width; ++along) {
    sums[along] = lines[0][x + along];
    for (int i = 1; i < count; ++i) sums[along] += lines[i][x + along];
  }
  return (sums[0] + sums[1]) * factor;
}

template <class Real>
void coarsen(const Real* const* lines, int count, std::int64_t length, bool by_pairs, Real factor,
             Real* coarse) {
  constexpr int lanes = vector_lanes<Real>;
  constexpr auto sequence = std::make_index_sequence<lanes>{};
  const int width = by_pairs ? 2 : 1;
  std::int64_t x = 0;
  for (; x + width * lanes <= length; x += width * lanes) {
    Vector<Real> sum = sum_of(lines, count, x);
    if (by_pairs) {
      const Vector<Real> high = sum_of(lines, count, x + lanes);
      sum = every_other<0>(sum, high, sequence) + every_other<1>(sum, high, sequence);
    }
    store_vector(coarse + x / width, sum * broadcast(factor));
  }
  for (; x + width <= length; x += width) {
    coarse[x / width] = mean_of(lines, count, x, width, factor);
  }
  if (x < length) coarse[x / width] = mean_of(lines, count, x, 1, factor);
}

template <class Real>
[[gnu::always_inline]] inline void refine_at(Vector<Real> value, const Real* weight, bool add,
                                             Real* fine) {
  const Vector<Real> by = weight != nullptr ? load_vector(weight) : broadcast(Real(1));
  store_vector(fine, add ? mad(by, value, load_vector(fine)) : by * value);
}

template <class Real>
void refine(const Real* coarse, const Real* weight, bool by_pairs, bool add, Real* fine,
            std::int64_t length) {
  constexpr int lanes = vector_lanes<Real>;
  constexpr auto sequence = std::make_index_sequence<lanes>{};
  const auto weight_at = [&](std::int64_t x) { return weight != nullptr ? weight + x : nullptr; };
  std::int64_t x = 0;
  for (; by_pairs && x + 2 * lanes <= length; x += 2 * lanes) {
    const Vector<Real> value = load_vector(coarse + x / 2);
    refine_at(woven<0>(value, value, sequence), weight_at(x), add, fine + x);
    refine_at(woven<1>(value, value, sequence), weight_at(x + lanes), add, fine + x + lanes);
  }
  for (; !by_pairs && x + lanes <= length; x += lanes) {
    refine_at(load_vector(coarse + x), weight_at(x), add, fine + x);
  }
  // The rest in a copy with room, for a lone multiplication might fuse where mad does not.
  for (; x < length; x += lanes) {
    const std::int64_t left = length - x < lanes ? length - x : lanes;
    Real values[lanes] = {}, weights[lanes] = {}, cells[lanes] = {};
    for (std::int64_t i = 0; i < left; ++i) {
      values[i] = coarse[by_pairs ? (x + i) / 2 : x + i];
      weights[i] = weight != nullptr ? weight[x + i] : Real(1);
      cells[i] = fine[x + i];
    }
    refine_at(load_vector(values), weights, add, cells);
    for (std::int64_t i = 0; i < left; ++i) fine[x + i] = cells[i];
  }
}

template <class Rule, bool deep, class Real>
constexpr typename GridKernels<Real>::Relax relax_of() {
  if constexpr (Rule::states == 1) return relax_line<Rule, deep, Real>;
  return nullptr;
}

template <class Real>
constexpr typename GridKernels<Real>::Relax relaxations[][2] = {
#define MEANDER_RULE(name, states, around, fields, parameters) \
  {relax_of<name, false, Real>(), relax_of<name, true, Real>()},
#include "rules/table.inc"
#undef MEANDER_RULE
};

}  // namespace

namespace MEANDER_ISA {

extern const GridKernels<float> grid_kernels_float;
const GridKernels<float> grid_kernels_float = {relaxations<float>, coarsen<float>, refine<float>};
extern const GridKernels<double> grid_kernels_double;
const GridKernels<double> grid_kernels_double = {relaxations<double>, coarsen<double>,
                                                 refine<double>};

}  // namespace MEANDER_ISA
}  // namespace meander::cpu
