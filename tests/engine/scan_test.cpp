// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Recurrences, against results written out or computed another way: a fault that `reference` shares
// is not seen by comparing with it.
#include <cmath>
#include <complex>

#include "engine/ghost.hpp"
#include "engine/line_testing.hpp"

namespace meander {
namespace {

using engine::Axis;
using engine::Recurrence;
using engine::View;
using Complex = std::complex<double>;

class Scan : public Lines {
 protected:
  Numbers scanned(const Numbers& line, Axis axis, const Recurrence& recurrence, PixelType type) {
    const OnDevice here(device, axis);
    const Image in = here.image(line, type), out = here.image(Numbers(line.size(), -1), type);
    backend.scan(view_of(in), view_of(out), axis, recurrence);
    return here.numbers_of(out);
  }
};

const Complex slow(0.8, 0.1), quick(0.6, 0.3);

/// The cascade of all-pole filters (1 - p)/(1 - p·z⁻¹) over `poles` in the form of differences.
Recurrence cascade_of(const std::vector<Complex>& poles) {
  Recurrence made{.form = Recurrence::Form::cascade, .states = static_cast<int>(poles.size())};
  std::vector<Complex> polynomial = {1};
  for (const Complex p : poles) {
    std::vector<Complex> next(polynomial.size() + 1);
    for (std::size_t j = 0; j < polynomial.size(); ++j) {
      next[j] += polynomial[j] * (1.0 - p);
      next[j + 1] += polynomial[j] * p;
    }
    polynomial = next;
  }
  double sum = 0;
  for (std::size_t j = 0; j < poles.size(); ++j) made.feed[j] = sum += polynomial[j].real();
  made.steady[0] = 1;
  made.border.kind = Border::constant;  // with 0: nothing comes in at the ends
  return made;
}

/// The filter's pulse response by partial fractions, Σ A_k·p_k^n.
double pulse_response(const std::vector<Complex>& poles, int n) {
  Complex sum = 0;
  for (std::size_t k = 0; k < poles.size(); ++k) {
    Complex factor = 1.0 - poles[k];
    for (std::size_t l = 0; l < poles.size(); ++l) {
      if (l != k) factor *= (1.0 - poles[l]) / (1.0 - poles[l] / poles[k]);
    }
    sum += factor * std::pow(poles[k], n);
  }
  return sum.real();
}

Numbers pulse(std::size_t length, std::size_t place) {
  Numbers line(length);
  line[place] = 1;
  return line;
}

/// Backward, then forward from rest (turn is 0): the response is the product of both, summed
/// directly.
TEST_P(Scan, ACascadesResponseIsThatOfItsPoles) {
  const std::vector<Complex> sets[] = {{0.5, slow, std::conj(slow)},
                                       {quick, std::conj(quick), slow, std::conj(slow)},
                                       {0.5, quick, std::conj(quick), slow, std::conj(slow)}};
  constexpr int length = 60, place = 25;
  for (const auto& poles : sets) {
    for (const PixelType type : reals()) {
      const Numbers found = scanned(pulse(length, place), Axis::y, cascade_of(poles), type);
      for (int n = 0; n < length; ++n) {
        double expected = 0;
        for (int m = 0; m <= std::min(n, place); ++m) {
          expected += pulse_response(poles, place - m) * pulse_response(poles, n - m);
        }
        EXPECT_NEAR(found[static_cast<std::size_t>(n)], expected,
                    type == PixelType::f32 ? 1e-6 : 1e-14)
            << poles.size() << " poles at " << n;
      }
    }
  }
}

Recurrence sum_of(const std::vector<Complex>& poles, const std::vector<Complex>& residues) {
  Recurrence made{.form = Recurrence::Form::sum, .states = 2 * static_cast<int>(poles.size())};
  for (std::size_t t = 0; t < poles.size(); ++t) {
    const auto put = [t](auto& numbers, Complex value) {
      numbers[2 * t] = value.real();
      numbers[2 * t + 1] = value.imag();
    };
    // Re(α·s) = Re α·Re s - Im α·Im s
    put(made.forward, std::conj(residues[t]));
    put(made.backward, std::conj(residues[t] * poles[t]));
    put(made.feed, 1.0 - poles[t]);
    put(made.steady, 1.0 / (1.0 - poles[t]));
  }
  made.border.kind = Border::constant;
  return made;
}

/// Re Σ α·p^|n|
TEST_P(Scan, ASumsResponseIsThatOfItsTerms) {
  const std::vector<Complex> poles = {slow, quick, {0.5, 0.2}, {0.3, -0.4}};
  const std::vector<Complex> residues = {{0.2, 0.1}, {-0.15, 0.05}, {0.1, -0.2}, {0.05, 0.1}};
  constexpr int length = 60, place = 25;
  for (std::size_t terms = 1; terms <= poles.size(); ++terms) {
    const auto first = [terms](const auto& all) {
      return std::vector<Complex>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(terms));
    };
    const Recurrence recurrence = sum_of(first(poles), first(residues));
    for (const PixelType type : reals()) {
      const Numbers found = scanned(pulse(length, place), Axis::z, recurrence, type);
      for (int n = 0; n < length; ++n) {
        Complex expected = 0;
        for (std::size_t t = 0; t < terms; ++t) {
          expected += residues[t] * std::pow(poles[t], std::abs(n - place));
        }
        EXPECT_NEAR(found[static_cast<std::size_t>(n)], expected.real(),
                    type == PixelType::f32 ? 1e-6 : 1e-14)
            << terms << " terms at " << n;
      }
    }
  }
}

/// A constant is steady: the border's value carries on, and a clamped line is none the wiser.
TEST_P(Scan, ConstantsStay) {
  const Numbers line(7, 3);
  for (Recurrence recurrence : {cascade_of({0.5, slow, std::conj(slow)}),
                                cascade_of({quick, std::conj(quick), slow, std::conj(slow)})}) {
    for (const BorderRule border :
         {BorderRule{.kind = Border::clamp}, BorderRule{.kind = Border::constant, .value = 3}}) {
      recurrence.border = border;
      EXPECT_EQ(scanned(line, Axis::x, recurrence, PixelType::f32), line);
    }
  }
}

/// The line with what stands beyond its ends, `margin` pixels on each side.
Numbers extended(const Numbers& line, std::int64_t margin, Border border) {
  const auto length = static_cast<std::int64_t>(line.size());
  Numbers longer;
  for (std::int64_t i = -margin; i < length + margin; ++i) {
    const std::int64_t index = engine::ghost_index(i, length, static_cast<int>(border));
    longer.push_back(line[static_cast<std::size_t>(index)]);
  }
  return longer;
}

/// A warm-up that is long enough, and then left alone, is a line that goes on for ever.
TEST_P(Scan, WarmUpGoesOverWhatStandsBeyondTheEnds) {
  const Numbers line = {1, 5, -2, 7, 3};
  constexpr std::int64_t margin = 200;
  Recurrence sum = sum_of({slow, quick}, {{0.2, 0.1}, {-0.15, 0.05}});
  sum.wrap = {1, 0, 1, 0};
  Recurrence cascade = cascade_of({0.5, slow, std::conj(slow)});
  cascade.wrap = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const std::pair<Recurrence, Border> cases[] = {{sum, Border::reflect},
                                                 {sum, Border::mirror},
                                                 {sum, Border::periodic},
                                                 {cascade, Border::periodic}};
  for (const auto& [recurrence, border] : cases) {
    Recurrence warmed = recurrence;
    warmed.border.kind = border;
    warmed.warmup = margin;
    const Numbers found = scanned(line, Axis::x, warmed, PixelType::f32);
    const Numbers among =
        scanned(extended(line, margin, border), Axis::x, recurrence, PixelType::f32);
    for (std::size_t i = 0; i < line.size(); ++i) {
      EXPECT_NEAR(found[i], among[margin + i], 1e-5) << static_cast<int>(border) << " at " << i;
    }
  }
}

/// The state itself, of what a backend keeps.
Numbers first_of(Numbers numbers, int count) {
  numbers.resize(static_cast<std::size_t>(count));
  return numbers;
}

/// wrap and turn act on what the state is beyond the steady one, row by row.
TEST_P(Scan, StatesAreMappedAboutTheSteadyOne) {
  Recurrence cascade = cascade_of({0.5, slow, std::conj(slow)});
  cascade.wrap = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  cascade.turn = {0, 1, 0, 0, 0, 1, 1, 0, 0};
  for (const Axis axis : axes) {
    const OnDevice here(device, axis);
    const Image edge = here.image({10}, PixelType::u8);
    const auto mapped = [&](engine::StateMap map, const Recurrence& recurrence, Numbers from) {
      from.resize(static_cast<std::size_t>(backend.state_numbers(recurrence)));
      const Image state = here.image(from, PixelType::f32);
      backend.scan_state(view_of(edge), view_of(state), axis, map, recurrence);
      return first_of(here.numbers_of(state), recurrence.states);
    };
    using engine::StateMap;
    EXPECT_EQ(mapped(StateMap::start, cascade, {7, 7, 7}), (Numbers{10, 0, 0}));
    EXPECT_EQ(mapped(StateMap::wrap, cascade, {11, 1, 2}), (Numbers{10 + 9, 21, 33}));
    EXPECT_EQ(mapped(StateMap::turn, cascade, {11, 1, 2}), (Numbers{10 + 1, 2, 1}));
    Recurrence sum{.form = Recurrence::Form::sum, .states = 4};
    sum.steady = {2, 0, 0, -1};
    sum.wrap = {0, 1, 2, 0};
    EXPECT_EQ(mapped(StateMap::start, sum, {7, 7, 7, 7}), (Numbers{20, 0, 0, -10}));
    EXPECT_EQ(mapped(StateMap::wrap, sum, {21, 3, 4, -9}), (Numbers{20 - 3, 1, 8, -10 + 2}));
  }
}

/// A running sum, done in two parts, goes on where it stopped; without an output too.
TEST_P(Scan, StatesAreCarriedFromPartToPart) {
  Recurrence running{.form = Recurrence::Form::sum, .states = 2};  // feed 0: s ← s + x
  running.forward = {1, 0};
  running.backward = {10, 0};
  for (const Axis axis : axes) {
    const OnDevice here(device, axis);
    const Image in = here.image({1, 2, 3, 4, 5}, PixelType::u16);
    const Image out = here.image({100, 200, 300, 400, 500}, PixelType::f32);
    Numbers kept{1000, 0};
    kept.resize(static_cast<std::size_t>(backend.state_numbers(running)));
    const Image state = here.image(kept, PixelType::f32);
    const auto run = [&](std::int64_t begin, std::int64_t end, engine::Direction direction,
                         bool writes) {
      backend.scan_part(part_of(view_of(in), axis, begin, end),
                        writes ? part_of(view_of(out), axis, begin, end) : View{}, view_of(state),
                        axis, direction, running, {begin, 5});
    };
    run(0, 2, engine::Direction::forward, true);
    run(2, 5, engine::Direction::forward, true);
    EXPECT_EQ(here.numbers_of(out), (Numbers{1101, 1203, 1306, 1410, 1515}));
    run(0, 5, engine::Direction::forward, false);
    EXPECT_EQ(first_of(here.numbers_of(state), 2), (Numbers{1030, 0}));
    EXPECT_EQ(here.numbers_of(out), (Numbers{1101, 1203, 1306, 1410, 1515}));
    run(3, 5, engine::Direction::backward, true);
    run(1, 3, engine::Direction::backward, true);
    EXPECT_EQ(here.numbers_of(out), (Numbers{1101, 10420, 10390, 10350, 10300}));
    EXPECT_EQ(first_of(here.numbers_of(state), 2), (Numbers{1044, 0}));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Scan, testing::ValuesIn(device_names()), test_name);

}  // namespace
}  // namespace meander
