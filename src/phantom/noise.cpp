// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/noise.hpp"

#include <algorithm>
#include <cmath>

#include "phantom/elementary.hpp"
#include "phantom/normal.hpp"
#include "phantom/philox.hpp"
#include "phantom/poisson.hpp"

namespace meander::phantoms {
namespace {

/// The uniforms of a chunk of pixels from an even index on; pixels 2n and 2n + 1 share a block.
void draw_chunk(PhiloxKey key, std::uint64_t first, double (&values)[chunk_length]) {
  constexpr std::size_t blocks = chunk_length / 2;
  std::array<std::array<std::uint32_t, blocks>, 4> words;
  for (std::size_t i = 0; i < blocks; ++i) {
    const PhiloxBlock counter = counter_of(first / 2 + i, 0, Purpose::pixel_pair);
    for (std::size_t word = 0; word < 4; ++word) words[word][i] = counter[word];
  }
  philox(words, key);
  for (std::size_t i = 0; i < blocks; ++i) {
    values[2 * i] = uniform_from(words[0][i], words[1][i]);
    values[2 * i + 1] = uniform_from(words[2][i], words[3][i]);
  }
}

/// One uniform a pixel, put through `transform` a chunk at a time.
template <class Transform>
void draw_uniforms(PhiloxKey key, std::uint64_t first, std::size_t count, double* values,
                   Transform transform) {
  const std::uint64_t end = first + count;
  for (std::uint64_t start = first - first % 2; start < end; start += chunk_length) {
    double chunk[chunk_length];
    draw_chunk(key, start, chunk);
    transform(chunk);
    const std::uint64_t from = std::max(start, first);
    const std::uint64_t to = std::min(start + chunk_length, end);
    std::copy(chunk + (from - start), chunk + (to - start), values + (from - first));
  }
}

void to_unit_rayleigh(double (&values)[chunk_length]) {
  for (double& value : values) value = std::sqrt(-2 * natural_log(value));
}

class NoNoise : public NoiseModel {
 public:
  explicit NoNoise(const PerTenth& mean) : mean_(mean) {}
  void draw(const PixelRun& run, double* values) const override {
    for (std::size_t i = 0; i < run.count; ++i) {
      values[i] = mean_[run.tenths[i]] * run.light[i];
    }
  }

 private:
  PerTenth mean_;
};

class GaussianNoise : public NoiseModel {
 public:
  GaussianNoise(std::uint64_t seed, const PerTenth& mean, const PerTenth& sigma)
      : key_(key_of(seed)), mean_(mean), sigma_(sigma) {}
  void draw(const PixelRun& run, double* values) const override {
    draw_uniforms(key_, run.first, run.count, values, to_normal);
    for (std::size_t i = 0; i < run.count; ++i) {
      const std::uint8_t tenths = run.tenths[i];
      values[i] = mean_[tenths] * run.light[i] + sigma_[tenths] * values[i];
    }
  }

 private:
  PhiloxKey key_;
  PerTenth mean_, sigma_;
};

class BernoulliNoise : public NoiseModel {
 public:
  BernoulliNoise(std::uint64_t seed, const PerTenth& probability, double one)
      : key_(key_of(seed)), probability_(probability), one_(one) {}
  void draw(const PixelRun& run, double* values) const override {
    draw_uniforms(key_, run.first, run.count, values, [](auto&) {});
    for (std::size_t i = 0; i < run.count; ++i) {
      values[i] = values[i] < probability_[run.tenths[i]] * run.light[i] ? one_ : 0;
    }
  }

 private:
  PhiloxKey key_;
  PerTenth probability_;
  double one_;
};

class RayleighNoise : public NoiseModel {
 public:
  RayleighNoise(std::uint64_t seed, const PerTenth& mean) : key_(key_of(seed)) {
    const double scale_of_unit_mean = std::sqrt(2 / pi);
    for (std::size_t k = 0; k < scale_.size(); ++k) scale_[k] = mean[k] * scale_of_unit_mean;
  }
  void draw(const PixelRun& run, double* values) const override {
    draw_uniforms(key_, run.first, run.count, values, to_unit_rayleigh);
    for (std::size_t i = 0; i < run.count; ++i) {
      values[i] *= scale_[run.tenths[i]] * run.light[i];
    }
  }

 private:
  PhiloxKey key_;
  PerTenth scale_{};
};

class GammaNoise : public NoiseModel {
 public:
  GammaNoise(std::uint64_t seed, const PerTenth& mean, double looks)
      : seed_(seed), looks_(looks), d_(looks - 1.0 / 3), c_(1 / std::sqrt(9 * d_)), mean_(mean) {}
  void draw(const PixelRun& run, double* values) const override {
    for (std::size_t i = 0; i < run.count; ++i) {
      UniformSequence uniforms(seed_, run.first + i, Purpose::pixel_sequence);
      values[i] = mean_[run.tenths[i]] * run.light[i] * (unit_scale(uniforms) / looks_);
    }
  }

 private:
  /// Marsaglia and Tsang, A simple method for generating gamma variables, 2000.
  double unit_scale(UniformSequence& uniforms) const {
    for (;;) {
      const double x = normal_quantile(uniforms.next());
      const double u = uniforms.next();
      const double root = 1 + c_ * x;
      if (root <= 0) continue;
      const double v = root * root * root;
      const double square = x * x;
      if (u < 1 - 0.0331 * square * square) return d_ * v;
      if (natural_log(u) < 0.5 * square + d_ * (1 - v + natural_log(v))) return d_ * v;
    }
  }

  std::uint64_t seed_;
  double looks_, d_, c_;
  PerTenth mean_;
};

class PoissonNoise : public NoiseModel {
 public:
  PoissonNoise(std::uint64_t seed, const PerTenth& mean) : seed_(seed) {
    for (std::size_t k = 0; k < mean.size(); ++k) samplers_[k] = PoissonSampler(mean[k]);
  }
  void draw(const PixelRun& run, double* values) const override {
    for (std::size_t i = 0; i < run.count; ++i) {
      UniformSequence uniforms(seed_, run.first + i, Purpose::pixel_sequence);
      const PoissonSampler& sampler = samplers_[run.tenths[i]];
      values[i] = run.light[i] == 1 ? sampler.draw(uniforms)
                                    : PoissonSampler(sampler.mean() * run.light[i]).draw(uniforms);
    }
  }

 private:
  std::uint64_t seed_;
  std::array<PoissonSampler, tenths_of_target + 1> samplers_;
};

}  // namespace

PerTenth between(double background, double target) {
  PerTenth values{};
  for (int k = 0; k < tenths_of_target; ++k) {
    values[k] = background + (target - background) * k / tenths_of_target;
  }
  values[tenths_of_target] = target;
  return values;
}

std::unique_ptr<NoiseModel> noise_model(const PhantomOptions& options,
                                        const PhantomLevels& levels) {
  const PerTenth mean = between(levels.background, levels.target);
  const std::uint64_t seed = options.seed;
  switch (options.noise.family) {
    case NoiseFamily::none:
      return std::make_unique<NoNoise>(mean);
    case NoiseFamily::gaussian:
    case NoiseFamily::variance:
      return std::make_unique<GaussianNoise>(seed, mean,
                                             between(levels.sigma_background, levels.sigma_target));
    case NoiseFamily::gamma:
      return std::make_unique<GammaNoise>(seed, mean, options.looks);
    case NoiseFamily::poisson:
      return std::make_unique<PoissonNoise>(seed, mean);
    case NoiseFamily::rayleigh:
      return std::make_unique<RayleighNoise>(seed, mean);
    case NoiseFamily::bernoulli:
      return std::make_unique<BernoulliNoise>(
          seed, mean, is_integer(options.type) ? highest_of(options.type) : 1.0);
  }
  throw LogicError("noise family out of its enumeration");
}

}  // namespace meander::phantoms
