// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/noise/noise.hpp"

#include <algorithm>
#include <cmath>

#include "meander/phantom.hpp"
#include "phantom/noise/distributions.hpp"
#include "phantom/noise/elementary.hpp"
#include "phantom/noise/philox.hpp"

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
  void draw(const PixelRun& run, double* values) const override {
    for (std::size_t i = 0; i < run.count; ++i) values[i] = run.levels[i] * run.light[i];
  }
};

class GaussianNoise : public NoiseModel {
 public:
  GaussianNoise(std::uint64_t seed, const PerTenth& sigma) : key_(key_of(seed)), sigma_(sigma) {}
  void draw(const PixelRun& run, double* values) const override {
    draw_uniforms(key_, run.first, run.count, values, to_normal);
    for (std::size_t i = 0; i < run.count; ++i) {
      values[i] = run.levels[i] * run.light[i] + sigma_[run.tenths[i]] * values[i];
    }
  }

 private:
  PhiloxKey key_;
  PerTenth sigma_;
};

class BernoulliNoise : public NoiseModel {
 public:
  BernoulliNoise(std::uint64_t seed, double one) : key_(key_of(seed)), one_(one) {}
  void draw(const PixelRun& run, double* values) const override {
    draw_uniforms(key_, run.first, run.count, values, [](auto&) {});
    for (std::size_t i = 0; i < run.count; ++i) {
      values[i] = values[i] < run.levels[i] * run.light[i] ? one_ : 0;
    }
  }

 private:
  PhiloxKey key_;
  double one_;
};

class RayleighNoise : public NoiseModel {
 public:
  explicit RayleighNoise(std::uint64_t seed) : key_(key_of(seed)) {}
  void draw(const PixelRun& run, double* values) const override {
    const double scale_of_unit_mean = std::sqrt(2 / pi);
    draw_uniforms(key_, run.first, run.count, values, to_unit_rayleigh);
    for (std::size_t i = 0; i < run.count; ++i) {
      values[i] *= run.levels[i] * scale_of_unit_mean * run.light[i];
    }
  }

 private:
  PhiloxKey key_;
};

class GammaNoise : public NoiseModel {
 public:
  GammaNoise(std::uint64_t seed, double looks)
      : seed_(seed), looks_(looks), d_(looks - 1.0 / 3), c_(1 / std::sqrt(9 * d_)) {}
  void draw(const PixelRun& run, double* values) const override {
    for (std::size_t i = 0; i < run.count; ++i) {
      UniformSequence uniforms(seed_, run.first + i, Purpose::pixel_sequence);
      values[i] = run.levels[i] * run.light[i] * (unit_scale(uniforms) / looks_);
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
      const double mean = run.levels[i] * run.light[i];
      values[i] =
          mean == sampler.mean() ? sampler.draw(uniforms) : PoissonSampler(mean).draw(uniforms);
    }
  }

 private:
  std::uint64_t seed_;
  std::array<PoissonSampler, tenths_of_target + 1> samplers_;
};

}  // namespace

double level_at(double tenths, double background, double target) {
  if (tenths == tenths_of_target) return target;
  const double level = background + (target - background) * tenths / tenths_of_target;
  return std::clamp(level, std::min(background, target), std::max(background, target));
}

PerTenth between(double background, double target) {
  PerTenth values{};
  for (int k = 0; k <= tenths_of_target; ++k) values[k] = level_at(k, background, target);
  return values;
}

std::unique_ptr<NoiseModel> noise_model(const PhantomOptions& options,
                                        const PhantomLevels& levels) {
  const std::uint64_t seed = options.seed;
  switch (options.noise.family) {
    case NoiseFamily::none:
      return std::make_unique<NoNoise>();
    case NoiseFamily::gaussian:
    case NoiseFamily::variance:
      return std::make_unique<GaussianNoise>(seed,
                                             between(levels.sigma_background, levels.sigma_target));
    case NoiseFamily::gamma:
      return std::make_unique<GammaNoise>(seed, options.looks);
    case NoiseFamily::poisson:
      return std::make_unique<PoissonNoise>(seed, between(levels.background, levels.target));
    case NoiseFamily::rayleigh:
      return std::make_unique<RayleighNoise>(seed);
    case NoiseFamily::bernoulli:
      return std::make_unique<BernoulliNoise>(
          seed, is_integer(options.type) ? highest_of(options.type) : 1.0);
  }
  throw LogicError("noise family out of its enumeration");
}

}  // namespace meander::phantoms

namespace meander {
namespace {

constexpr std::string_view variance_prefix = "variance=";

}  // namespace

Noise OptionText<Noise>::parse(std::string_view text) {
  if (text.starts_with(variance_prefix)) {
    return {NoiseFamily::variance, OptionText<double>::parse(text.substr(variance_prefix.size()))};
  }
  for (const auto& [family, name] : ChoiceNames<NoiseFamily>::values) {
    if (name == text && family != NoiseFamily::variance) return {family};
  }
  detail::refuse_text(text, syntax());
}

std::string OptionText<Noise>::format(const Noise& value) {
  if (value.family != NoiseFamily::variance) return OptionText<NoiseFamily>::format(value.family);
  return std::string(variance_prefix) + OptionText<double>::format(value.sigma_ratio);
}

std::string OptionText<Noise>::syntax() { return OptionText<NoiseFamily>::syntax() + "=R"; }

}  // namespace meander
