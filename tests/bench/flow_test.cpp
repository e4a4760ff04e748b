// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/flow/flow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "bench/flow/grids.hpp"
#include "bench/flow/paper.hpp"
#include "meander/convert.hpp"

namespace meander::bench {
namespace {

/// Any gradient, its components within ±1/2.
Field random_gradient(const Shape& shape) {
  Image image = Image::allocate({.shape = shape, .channels = shape.rank()});
  std::mt19937 bits(7);
  std::uniform_real_distribution<float> number(-0.5f, 0.5f);
  for (int c = 0; c < image.channels(); ++c) {
    for (std::int64_t z = 0; z < shape.z; ++z) {
      for (std::int64_t y = 0; y < shape.y; ++y) {
        float* row = image.mutable_row<float>(y, z, c);
        std::generate(row, row + shape.x, [&] { return number(bits); });
      }
    }
  }
  return Field(image);
}

std::vector<double> numbers_of(const Image& image) {
  const Image wide = convert(image, {.type = PixelType::f64}).download();
  std::vector<double> numbers;
  for (int c = 0; c < wide.channels(); ++c) {
    for (std::int64_t z = 0; z < wide.shape().z; ++z) {
      for (std::int64_t y = 0; y < wide.shape().y; ++y) {
        const double* row = wide.row<double>(y, z, c);
        numbers.insert(numbers.end(), row, row + wide.shape().x);
      }
    }
  }
  return numbers;
}

/// The steps in float64 by their definition, number by number.
class Exact {
 public:
  Exact(const Field& gradient, const FlowStep& step)
      : shape_(gradient.components().shape()),
        step_(step),
        gradient_(numbers_of(gradient.components())),
        field_(gradient_) {}

  std::vector<double> after(int steps) {
    for (int i = 0; i < steps; ++i) {
      std::vector<double> next;
      for (int c = 0; c < shape_.rank(); ++c) {
        for (std::int64_t z = 0; z < shape_.z; ++z) {
          for (std::int64_t y = 0; y < shape_.y; ++y) {
            for (std::int64_t x = 0; x < shape_.x; ++x) next.push_back(stepped(c, x, y, z));
          }
        }
      }
      field_ = next;
    }
    return field_;
  }

 private:
  std::int64_t inside(std::int64_t i, std::int64_t length) const {
    if (!step_.mirror || length == 1) return std::clamp<std::int64_t>(i, 0, length - 1);
    return i < 0 ? 1 : i == length ? length - 2 : i;
  }
  double at(const std::vector<double>& numbers, int c, std::int64_t x, std::int64_t y,
            std::int64_t z) const {
    const std::int64_t row = (c * shape_.z + inside(z, shape_.z)) * shape_.y + inside(y, shape_.y);
    return numbers[static_cast<std::size_t>(row * shape_.x + inside(x, shape_.x))];
  }
  double stepped(int c, std::int64_t x, std::int64_t y, std::int64_t z) const {
    double squares = 0;
    for (int i = 0; i < shape_.rank(); ++i) squares += std::pow(at(gradient_, i, x, y, z), 2);
    const double v = at(field_, c, x, y, z);
    const double laplacian = at(field_, c, x - 1, y, z) + at(field_, c, x + 1, y, z) +
                             at(field_, c, x, y - 1, z) + at(field_, c, x, y + 1, z) +
                             at(field_, c, x, y, z - 1) + at(field_, c, x, y, z + 1) - 6 * v;
    return v + step_.mu * laplacian - (v - at(gradient_, c, x, y, z)) * squares;
  }

  const Shape shape_;
  const FlowStep step_;
  const std::vector<double> gradient_;
  std::vector<double> field_;
};

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

std::vector<double> plain_after(const Field& gradient, const FlowStep& step, FlowLoop loop,
                                int steps) {
  PlainFlow plain(gradient, step);
  plain.run(loop, steps);
  return numbers_of(plain.field());
}

// A step never makes an error larger (μ·w + b is below 2), so errors of steps add up. One step
// rounds sums of at most six numbers below 1/2, times μ, and three numbers below 1: less than
// 2^-22, and 21 steps less than 5e-6 if all roundings went the same way.
constexpr double of_float = 5e-6;
constexpr int odd_steps = 21;

constexpr Shape shapes[] = {{1, 1, 1}, {2, 3, 1},  {1, 40, 1}, {67, 35, 1}, {130, 18, 1},
                            {9, 7, 5}, {33, 6, 2}, {1, 5, 4},  {2, 1, 3}};

TEST(FlowBaselines, PlainAndVectorisedDoWhatThePaperSays) {
  for (const bool mirror : {true, false}) {
    const FlowStep step{.mu = 0.09, .mirror = mirror};
    for (const Shape& shape : shapes) {
      const Field gradient = random_gradient(shape);
      const auto exact = Exact(gradient, step).after(odd_steps);
      const auto plain = plain_after(gradient, step, scalar_flow_loop(), odd_steps);
      const auto vectorised = plain_after(gradient, step, vectorised_flow_loop(), odd_steps);
      EXPECT_LT(largest_difference(exact, plain), of_float) << to_string(shape) << mirror;
      EXPECT_LT(largest_difference(exact, vectorised), of_float) << to_string(shape) << mirror;
      EXPECT_LT(largest_difference(plain, vectorised), of_float) << to_string(shape) << mirror;
    }
  }
}

TEST(FlowBaselines, FlowDoesTheSame) {
  for (const bool mirror : {true, false}) {
    const FlowStep step{.mu = 0.09, .mirror = mirror};
    for (const Shape& shape : shapes) {
      const Field gradient = random_gradient(shape);
      const FlowOptions options{.mu = step.mu,
                                .solver = FlowSolver::explicit_steps,
                                .iterations = odd_steps,
                                .border = mirror ? FlowBorder::mirror : FlowBorder::clamp};
      const auto ours = numbers_of(flow(gradient, options).field.components());
      const auto plain = plain_after(gradient, step, scalar_flow_loop(), odd_steps);
      EXPECT_LT(largest_difference(plain, ours), 2 * of_float) << to_string(shape) << mirror;
    }
  }
}

// What is timed is what a user gets.
TEST(FlowBaselines, TheTimedEngineIsThatOfFlowInEveryStorage) {
  for (const Shape& shape : {Shape{67, 35, 1}, Shape{9, 7, 5}}) {
    const Field gradient = random_gradient(shape);
    for (const FlowStorage storage : {FlowStorage::f32, FlowStorage::f16, FlowStorage::snorm16}) {
      EngineFlow engine(gradient, {}, storage);
      engine.run(20);
      const FlowOptions options{
          .solver = FlowSolver::explicit_steps, .iterations = 20, .storage = storage};
      auto timed = numbers_of(engine.field());
      if (storage == FlowStorage::snorm16) {
        for (double& number : timed) number /= 32767;
      }
      const auto ours = numbers_of(flow(gradient, options).field.components());
      // The same steps; only parts of 32767 are divided in float32 on one side, by 2^-24 of 1.
      EXPECT_LT(largest_difference(timed, ours), 1e-7) << OptionText<FlowStorage>::format(storage);
    }
  }
}

TEST(FlowBaselines, BytesOfAStepAreThreeFields) {
  const Field plane = random_gradient({8, 8, 1}), volume = random_gradient({8, 8, 8});
  EXPECT_EQ(EngineFlow(plane, {}, FlowStorage::f32).bytes_of_step(), 24);
  EXPECT_EQ(EngineFlow(plane, {}, FlowStorage::f16).bytes_of_step(), 12);
  EXPECT_EQ(EngineFlow(volume, {}, FlowStorage::f32).bytes_of_step(), 36);
  EXPECT_EQ(EngineFlow(volume, {}, FlowStorage::snorm16).bytes_of_step(), 18);
}

/// A plane of one row.
Field field_of(const std::vector<std::array<float, 2>>& vectors) {
  Image image =
      Image::allocate({.shape = {static_cast<std::int64_t>(vectors.size()), 1, 1}, .channels = 2});
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    for (int c = 0; c < 2; ++c) {
      image.mutable_row<float>(0, 0, c)[i] = vectors[i][static_cast<std::size_t>(c)];
    }
  }
  return Field(image);
}

TEST(FlowErrors, MomentsOfLengthsAndAngles) {
  // A right angle, the same vector twice as long, an opposite one.
  const FieldErrors found =
      field_errors(field_of({{0, 2}, {6, 8}, {-1, 0}}), field_of({{1, 0}, {3, 4}, {4, 0}}));
  const double pi = std::acos(-1);
  EXPECT_EQ(found.vectors, 3);
  EXPECT_EQ(found.left_out, 0);
  EXPECT_DOUBLE_EQ(found.magnitude.mean, 3);  // of 1, 5 and 3
  EXPECT_DOUBLE_EQ(found.magnitude.variance, 8.0 / 3);
  EXPECT_EQ(found.magnitude.max, 5);
  EXPECT_EQ(found.magnitude.min, 1);
  EXPECT_NEAR(found.angle.mean, pi / 2, 1e-12);  // of π/2, 0 and π
  EXPECT_NEAR(found.angle.variance, pi * pi / 6, 1e-12);
  EXPECT_NEAR(found.angle.max, pi, 1e-12);
  EXPECT_NEAR(found.angle.min, 0, 1e-7);
  EXPECT_EQ(found.largest_turned,
            4);  // of the wanted vectors 1 and 4; that of length 5 kept its way
  EXPECT_DOUBLE_EQ(found.distance, std::sqrt((5.0 + 25 + 25) / (1 + 25 + 16)));
}

TEST(FlowErrors, VectorsOfLengthZeroHaveNoAngle) {
  const FieldErrors found = field_errors(field_of({{0, 0}, {1, 0}, {0, 0}, {3, 0}}),
                                         field_of({{2, 0}, {0, 0}, {0, 0}, {0, 3}}));
  EXPECT_EQ(found.vectors, 4);
  EXPECT_EQ(found.left_out, 3);
  EXPECT_DOUBLE_EQ(found.magnitude.mean, 0.75);
  EXPECT_DOUBLE_EQ(found.angle.mean, std::acos(0));
  EXPECT_EQ(found.angle.variance, 0);
  EXPECT_EQ(found.largest_turned, 3);
}

TEST(FlowErrors, AFieldOfZerosIsFarFromAnyOther) {
  const FieldErrors found = field_errors(field_of({{0, 0}, {0, 0}}), field_of({{1, 0}, {0, -2}}));
  EXPECT_EQ(found.distance, 1);
  EXPECT_EQ(found.left_out, 2);
  EXPECT_TRUE(std::isnan(found.angle.mean));
  EXPECT_TRUE(std::isnan(found.angle.max));
  EXPECT_EQ(found.largest_turned, 0);
}

// Rounding makes the cosine of a vector with itself larger than 1 now and then, or smaller by some
// 2^-52, of which the angle is the root of twice that: 2e-8.
TEST(FlowErrors, AFieldIsNotTurnedFromItself) {
  const Field field = random_gradient({50, 40, 1});
  const FieldErrors found = field_errors(field, field);
  EXPECT_EQ(found.distance, 0);
  EXPECT_EQ(found.magnitude.max, 0);
  EXPECT_LT(found.angle.mean, 1e-7);
  EXPECT_LT(found.angle.max, 1e-7);
  EXPECT_EQ(found.largest_turned, 0);
}

TEST(FlowErrors, DepthCounts) {
  Image along = Image::allocate({.shape = {1, 1, 2}, .channels = 3});
  Image across = Image::allocate(along.description());
  for (std::int64_t z = 0; z < 2; ++z) {
    for (int c = 0; c < 3; ++c) {
      *along.mutable_row<float>(0, z, c) = c == 2 ? 2.0f : 0.0f;
      *across.mutable_row<float>(0, z, c) = c == 0 && z == 1 ? 2.0f : c == 2 && z == 0 ? 2.0f : 0;
    }
  }
  const FieldErrors found = field_errors(Field(across), Field(along));
  EXPECT_NEAR(found.angle.mean, std::acos(0) / 2, 1e-12);
  EXPECT_EQ(found.largest_turned, 2);
  EXPECT_DOUBLE_EQ(found.distance, 1);
}

TEST(FlowAccuracy, StoragesAndSolversAreAsFarOffAsTheyMustBe) {
  const FlowAccuracies found = flow_accuracy({96, 80, 1}, Device::open("cpu"), {});
  EXPECT_EQ(found.steps, 96);
  ASSERT_EQ(found.rows.size(), 14u);
  const auto errors = [&](const std::string& image, const std::string& field,
                          const std::string& wanted) {
    const auto row = std::find_if(found.rows.begin(), found.rows.end(), [&](const auto& entry) {
      return entry.image == image && entry.found == field && entry.wanted == wanted;
    });
    EXPECT_NE(row, found.rows.end()) << image << field << wanted;
    return row->errors;
  };
  for (const char* image : {"head", "star with noise"}) {
    const double steps = errors(image, "explicit f32", "converged").distance;
    const double longer = errors(image, "fed f32", "converged").distance;
    EXPECT_GT(steps, 0.01) << image;
    EXPECT_LT(longer, steps) << image;
    // A residual of 1e-6 means an error of at most 0.2 %, what users are promised.
    EXPECT_LT(errors(image, "multigrid 1e-6", "converged").distance, 2e-3) << image;
    // An f16 between 1/4 and 1/2 has parts of 2^-12, an snorm16 of 2^-15; steps add some of them.
    EXPECT_LT(errors(image, "explicit f16", "explicit f32").magnitude.max, 0.01) << image;
    EXPECT_LT(errors(image, "explicit snorm16", "explicit f32").magnitude.max, 0.002) << image;
    EXPECT_GT(errors(image, "explicit snorm16", "explicit f32").magnitude.mean, 0) << image;
  }
  // Far from all edges parts of 1/32767 are nothing at all.
  EXPECT_GT(errors("head", "explicit snorm16", "explicit f32").left_out, 0);
}

TEST(FlowPaper, TimesOfAllIterationsAreThoseOfOneTimesTheirNumber) {
  for (const PaperFlowTable& table : paper_flow_tables) {
    for (const PaperFlowTime& entry : table.times) {
      const double product = entry.one_iteration * static_cast<double>(table.iterations);
      EXPECT_GT(entry.all_iterations / product, 0.96) << entry.processor;
      EXPECT_LT(entry.all_iterations / product, 1.6) << entry.processor;
    }
  }
}

TEST(FlowPaper, BytesAreThoseOfItsSection32) {
  EXPECT_EQ(paper_flow_bytes(2, 32), 24);
  EXPECT_EQ(paper_flow_bytes(3, 32), 36);
  EXPECT_EQ(paper_flow_bytes(2, 16), 12);
  EXPECT_EQ(paper_flow_bytes(3, 16), 18);
}

/// With two threads, for each may hold lines, and the estimate counts them all.
TEST(FlowMemory, IsAtMostWhatWasSaidAndLessWith16Bits) {
  set_threads(2);
  for (const Shape& size : {Shape{256, 256, 1}, Shape{48, 48, 48}}) {
    const auto rows = flow_memory(size, Device::open("cpu"), {});
    ASSERT_EQ(rows.size(), 4u);
    for (const FlowMemory& row : rows) {
      EXPECT_LE(row.measured, 1.05 * row.estimated);
      EXPECT_GE(row.measured, 0.8 * row.estimated);
    }
    // The image and three fields are the least.
    EXPECT_GE(rows[0].measured, 4 + *rows[0].published);
    EXPECT_GE(rows[1].measured, 4 + *rows[1].published);
    EXPECT_LT(rows[1].measured, rows[0].measured);
    EXPECT_EQ(rows[1].measured, rows[2].measured);
    EXPECT_FALSE(rows[3].published.has_value());
  }
  set_threads(0);
}

void expect_all_figures(const FlowBench& result, bool has_scaling) {
  ASSERT_EQ(result.steps.size(), 6u);
  for (const FlowStepRow& row : result.steps) {
    EXPECT_GT(row.nanoseconds.median, 0) << name_of(row.way);
    EXPECT_GT(row.over_ours.median, 0) << name_of(row.way);
    EXPECT_GT(row.bytes, 0) << name_of(row.way);
  }
  ASSERT_EQ(result.solvers.size(), 3u);
  const double plain = result.row(FlowWay::plain).nanoseconds.median * 1e-9 * result.pixels();
  for (const FlowSolverRow& row : result.solvers) {
    // One run, so the ratio of medians is the median of ratios.
    EXPECT_NEAR(row.over_plain.median * plain * static_cast<double>(result.plain_steps),
                row.seconds.median, 1e-9 * row.seconds.median);
    EXPECT_NEAR(row.nanoseconds * 1e-9 * result.pixels(), row.seconds.median,
                1e-9 * row.seconds.median);
  }
  for (const bool has_noise : {true, false}) {
    EXPECT_EQ(result.multigrid(has_noise).has_noise, has_noise);
    EXPECT_TRUE(result.multigrid(has_noise).figures.converged);
    EXPECT_LE(result.multigrid(has_noise).figures.relative_residual, 1e-6);
  }
  EXPECT_EQ(result.solvers[2].figures.iterations, 64);
  EXPECT_EQ(result.scaling.has_value(), has_scaling);
  EXPECT_EQ(result.multigrid().scaling.has_value(), has_scaling);
}

TEST(FlowBench, EveryWayAndSolverIsTimed) {
  for (const int count : {1, 2}) {
    set_threads(count);
    const FlowBench plane = bench_flow({96, 64, 1}, Device::open("cpu"), 1, {});
    EXPECT_EQ(plane.plain_steps, 512);
    EXPECT_EQ(plane.row(FlowWay::copy).bytes, 16);
    expect_all_figures(plane, count > 1);
    EXPECT_EQ(plane.clock, count == 1 ? Clock::process : Clock::wall);
    EXPECT_NEAR(plane.seconds_of_steps(512),
                plane.row(FlowWay::f32).nanoseconds.median * 1e-9 * 96 * 64 * 512, 1e-12);
    const FlowBench volume = bench_flow({24, 20, 16}, Device::open("cpu"), 1, {});
    EXPECT_EQ(volume.plain_steps, 100);
    EXPECT_EQ(volume.row(FlowWay::copy).bytes, 24);
    expect_all_figures(volume, count > 1);
  }
  set_threads(0);
}

TEST(FlowBench, StopsOnRequest) {
  std::stop_source source;
  source.request_stop();
  const Control stopped{.stop = source.get_token(), .progress = {}};
  EXPECT_THROW(bench_flow({64, 64, 1}, Device::open("cpu"), 3, stopped), Cancelled);
  EXPECT_THROW(flow_accuracy({64, 64, 1}, Device::open("cpu"), stopped), Cancelled);
}

}  // namespace
}  // namespace meander::bench
