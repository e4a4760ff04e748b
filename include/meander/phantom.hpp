// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "meander/control.hpp"
#include "meander/image.hpp"
#include "meander/options.hpp"
#include "meander/outline.hpp"

/// Synthetic images whose truth is known exactly. The same options give the same bytes on every
/// machine: noise is drawn by a counter-based generator addressed by the pixel, so neither slabs
/// nor threads matter, and only exactly rounded arithmetic decides a pixel.
namespace meander {

/// Shapes lie in the middle of the image, flower and disc about `centre`, and grow with its shorter
/// side n (of x and y). In a volume star, flower, disc and ushape go through the middle half of the
/// slices and a blob is a ball.
///
/// - star: seven points with deep concavities, turned so that no edge follows an axis.
/// - flower: a smooth star of radius 0.27 n (1 + amplitude cos(arms phi + rotation)), where phi is
///   counted from the x axis towards the y axis. A pixel is inside when its centre is nearer.
/// - disc: the same without arms, a disc of radius 0.27 n.
/// - blobs: wobbly discs that never touch, placed by the seed. Cells of p = min(64, x, y) pixels,
///   in z of min(64, z), are laid in rows like bricks, one blob a cell: x/p blobs in even rows, one
///   fewer (but at least one) in odd rows, y/p rows, all rounded down.
///   With `count` the cells are as large as they can be for so many blobs and the last ones stay
///   empty; blobs are at least 2 pixels apart, in cells of at least 8 pixels. With `touching` (not
///   in volumes) the blobs of a row lie against each other two by two: they share a straight piece
///   of their outlines, about 0.8 of the smaller radius long, and no pixel.
/// - rings: blobs with a round hole of half their radius, balls with a hollow. Cells of a `count`
///   have at least 24 pixels.
/// - film: blobs that move, z is time; frames are images with no depth. They wander by up to 3
///   pixels a frame, turning, and stay 3 pixels apart. With at least 4 of them and 8 frames, one in
///   20 (but at least one) appears after the start, as many vanish before the end, and as many
///   divide: they stretch for some frames, then two halves drift apart. A label stays with its blob
///   from frame to frame; halves have labels of their own, behind those of all others. `count` is
///   of those not yet divided; cells have at least 32 pixels.
/// - ushape: the deep concave U on which Xu and Prince showed gradient vector flow.
/// - vessels: a tree of tapering tubes, grown by the seed until it fills the image.
/// - shepp_logan: the head phantom with Toft's contrasts. Intensity 0 is the background level, 1,
///   the skull, the target level, the others lie between; ellipsoids in a volume. Its mask is the
///   whole head.
/// - impulse: one pixel, at (x/2, y/2, z/2) rounded down.
/// - step: the right half of the image.
/// - constant: nothing but background; an empty mask.
enum class PhantomKind : std::uint8_t {
  star,
  blobs,
  rings,
  film,
  flower,
  disc,
  ushape,
  vessels,
  shepp_logan,
  impulse,
  step,
  constant
};

/// Families of noise; see PhantomOptions for what each does to a level.
enum class NoiseFamily : std::uint8_t {
  none,
  gaussian,
  gamma,
  poisson,
  bernoulli,
  rayleigh,
  variance
};

/// A family of noise; `sigma_ratio` belongs to `variance` alone.
struct Noise {
  NoiseFamily family = NoiseFamily::none;  ///< Which noise.
  double sigma_ratio = 1;                  ///< Deviation of the target over that of the background.
  friend bool operator==(const Noise&, const Noise&) = default;
};

template <>
struct ChoiceNames<PhantomKind> {
  static constexpr std::pair<PhantomKind, std::string_view> values[] = {
      {PhantomKind::star, "star"},
      {PhantomKind::blobs, "blobs"},
      {PhantomKind::rings, "rings"},
      {PhantomKind::film, "film"},
      {PhantomKind::flower, "flower"},
      {PhantomKind::disc, "disc"},
      {PhantomKind::ushape, "ushape"},
      {PhantomKind::vessels, "vessels"},
      {PhantomKind::shepp_logan, "shepp-logan"},
      {PhantomKind::impulse, "impulse"},
      {PhantomKind::step, "step"},
      {PhantomKind::constant, "constant"}};
};
template <>
struct ChoiceNames<NoiseFamily> {
  static constexpr std::pair<NoiseFamily, std::string_view> values[] = {
      {NoiseFamily::none, "none"},           {NoiseFamily::gaussian, "gaussian"},
      {NoiseFamily::gamma, "gamma"},         {NoiseFamily::poisson, "poisson"},
      {NoiseFamily::bernoulli, "bernoulli"}, {NoiseFamily::rayleigh, "rayleigh"},
      {NoiseFamily::variance, "variance"}};
};
template <>
struct OptionText<Noise> {
  static Noise parse(std::string_view text);
  static std::string format(const Noise& value);
  static std::string syntax();
};

/// What the levels B (background) and T (target) and `snr` = |muT - muB| / sigmaB mean, and what
/// they are when not given. Numbers are for u16, f16, f32 and f64; u8 has 1/256 of them, i16 half,
/// counts and probabilities excepted.
///
/// | noise      | a pixel of level m                  | sigmaB             | B     | T      |
/// |------------|-------------------------------------|--------------------|-------|--------|
/// | none       | m                                   | 0: snr is refused  | 20000 | 32000  |
/// | gaussian   | m + sigma * normal                  | sigma, 3000        | 20000 | snr 4  |
/// | gamma      | m * gamma(looks) / looks            | B / sqrt(looks)    | 2000  | snr 4  |
/// | poisson    | a count of mean m                   | sqrt(B)            | 100   | snr 4  |
/// | bernoulli  | highest value with probability m,   | sqrt(B (1 - B))    | 0.1   | snr 2  |
/// |            | (1 in a float type), else 0         |                    |       |        |
/// | rayleigh   | amplitude of mean m                 | B sqrt(4 / pi - 1) | 2000  | snr 4  |
/// | variance=R | B + sigma * normal outside,         | sigma, 3000: snr   | 20000 | B      |
/// |            | B + R * sigma * normal inside       | is refused         |       |        |
///
/// T = B + snr * sigmaB unless levels are given. With gaussian noise and levels, sigma = |T - B| /
/// snr. Where sigma follows from the level (gamma, poisson, bernoulli, rayleigh) giving levels and
/// snr both is refused. An impulse without noise has levels 0 and the type's highest value (1 in a
/// float type). Integer pixels are rounded, ties to even, and saturated.
///
/// With `shading` m above is the level times a factor that grows linearly over x and y, from
/// 1 - shading at the first pixel to 1 + shading at the last one of each slice. The table, `snr`
/// and Phantom::levels hold where it is 1, in the middle. A sigma that follows from the level
/// follows the shaded one; that of gaussian and variance stays, so their contrast over sigma grows
/// with the factor.
///
/// With `blur` the level m is that of the image after a Gaussian of this sigma in pixels, as an
/// optical point spread function makes it: before light and noise, over x and y, in a volume over z
/// too, in a film frame by frame. Pixels of the border go on beyond it. Weights are the Gaussian at
/// whole pixels up to 5 sigma, to 2^-24, and their sum is 1 exactly. The truth stays sharp. Refused
/// with kind constant and noise variance, in which it would change nothing.
struct PhantomOptions {
  PhantomKind kind = PhantomKind::star;
  Shape size{512, 512, 1};
  PixelType type = PixelType::u16;
  Noise noise;
  std::optional<double> snr;
  std::optional<std::array<double, 2>> levels;
  double looks = 1;
  std::uint64_t seed = 0;
  std::optional<std::int64_t> count;
  bool touching = false;
  double shading = 0;
  double blur = 0;
  std::int64_t arms = 7;
  double amplitude = 0.28;
  double rotation = 0.3;
  /// Of flower and disc, x and y as parts of the width and of the height; the pixel in the upper
  /// left has its centre at 0,0.
  std::array<double, 2> centre{0.47, 0.53};

  template <class Visitor>
  void describe(Visitor& v) {
    v(kind, {.name = "kind", .help = "what the image shows"});
    v(size, {.name = "size", .unit = "pixels", .min = 1, .max = 1e6, .help = "size of the image"});
    v(type, {.name = "type", .help = "pixel type of the image"});
    v(noise, {.name = "noise", .help = "family of the noise"});
    v(snr, {.name = "snr",
            .min = 0,
            .max = 1e6,
            .help = "contrast of the means over the background's sigma [4, bernoulli 2]"});
    v(levels, {.name = "levels",
               .min = -1e30,
               .max = 1e30,
               .help = "mean of background and target, for bernoulli their probabilities"});
    v(looks, {.name = "looks", .min = 1, .max = 1e6, .help = "looks of gamma noise"});
    v(seed, {.name = "seed", .help = "number that chooses the noise and the random shapes"});
    v(count, {.name = "count",
              .min = 1,
              .max = 65535,
              .help = "number of objects of blobs, rings and film, as large as there is room for"});
    v(touching, {.name = "touching", .help = "blobs lie against each other in pairs"});
    v(shading, {.name = "shading",
                .min = 0,
                .max = 0.95,
                .help = "light that falls unevenly: levels grow from 1 - this at the upper left "
                        "to 1 + this at the lower right"});
    v(blur, {.name = "blur",
             .unit = "pixels",
             .min = 0,
             .max = 32,
             .help = "sigma of a Gaussian that blurs the image before the noise; the truth stays "
                     "sharp"});
    v(arms, {.name = "arms", .min = 1, .max = 64, .help = "number of arms of a flower"});
    v(amplitude, {.name = "amplitude",
                  .min = 0,
                  .max = 0.95,
                  .help = "by what part of its mean radius the arms of a flower reach out and the "
                          "notches between them in"});
    v(rotation, {.name = "rotation",
                 .unit = "radians",
                 .min = -10,
                 .max = 10,
                 .help = "phase of the arms of a flower: its radius follows cos(arms * phi + "
                         "this), phi from the x axis towards the y axis"});
    v(centre, {.name = "centre",
               .min = 0,
               .max = 1,
               .help = "centre of a flower or disc, as parts of the width and of the height"});
  }
};

/// The levels in use, in the units of `PhantomOptions::levels`.
struct PhantomLevels {
  double background = 0;        ///< Mean of what is no object.
  double target = 0;            ///< Mean of objects.
  double sigma_background = 0;  ///< Deviation of the noise there.
  double sigma_target = 0;      ///< The same of objects.
};

/// An object of a film in one frame.
struct PhantomTrack {
  std::int64_t frame = 0;   ///< From 0 on.
  std::int64_t id = 0;      ///< Its label.
  std::int64_t parent = 0;  ///< The label of what it is a half of, 0 when it is none.
  double x = 0, y = 0;      ///< Centroid of its outline in pixels.
  double area = 0;          ///< Of its outline, in pixels squared.
};

/// A generator of slabs: slices [begin, end) of a volume, rows [begin, end) of a 2-D image, in host
/// memory. It holds the shapes and never more pixels than the slab; a few MB beside it, on all
/// threads of the `cpu` device. Every function is const and safe to call from several threads at
/// once.
class Phantom {
 public:
  /// Throws InvalidArgument when options are out of range or contradict each other.
  explicit Phantom(const PhantomOptions& options);

  const Description& description() const;  ///< Of the image.
  /// u8, 255 inside and 0 outside.
  Description truth_description() const;
  const PhantomLevels& levels() const;  ///< Those in use.

  /// Of the image.
  Image slab(std::int64_t begin, std::int64_t end, const Control& control = {}) const;
  /// Of its mask.
  Image truth_slab(std::int64_t begin, std::int64_t end, const Control& control = {}) const;
  /// The same into an image of the caller's, whose extent along the slab axis says how much is
  /// wanted.
  void fill(Image& slab, std::int64_t begin, const Control& control = {}) const;
  /// A slab of the mask.
  void fill_truth(Image& slab, std::int64_t begin, const Control& control = {}) const;

  /// u16: the number of the object at every pixel, from 1 on, 0 outside. Throws Unsupported for
  /// kinds other than blobs, rings and film, and for more than 65535 objects.
  Description labels_description() const;
  /// A slab of labels.
  Image labels_slab(std::int64_t begin, std::int64_t end, const Control& control = {}) const;
  /// The same into an image of the caller's.
  void fill_labels(Image& slab, std::int64_t begin, const Control& control = {}) const;

  /// What the labels stand for, exactly: the objects of a 2-D image, or of one slice or frame, by
  /// their labels. Throws InvalidArgument for a slice there is not, and like labels_description.
  std::vector<LabelledRegion> regions(std::int64_t z = 0) const;

  /// Labels run from 1 to this; 0 for kinds that have none.
  std::int64_t object_count() const;

  /// Every object in every frame, frame after frame and by their labels. Throws Unsupported for
  /// kinds other than film.
  std::vector<PhantomTrack> tracks() const;

  /// The polygons whose pixels are the mask, exactly. Flower and disc are curves: their polygons
  /// stay within 1/128 pixel of them, and only pixels whose centres are that near may differ from
  /// the mask. Throws Unsupported for volumes, for vessels, which are not made of polygons, and for
  /// rings, which have holes.
  std::vector<Polygon> outlines() const;

 private:
  struct State;
  Image new_slab(Description description, std::int64_t begin, std::int64_t end) const;
  std::shared_ptr<const State> state_;
};

/// As the text of a file: the header `frame,id,parent,x,y,area` and one line a track.
std::string tracks_as_csv(std::span<const PhantomTrack> tracks, const Control& control = {});

/// As the text of a file, coordinates in pixels and exact: a FeatureCollection with a Polygon for
/// each region, holes included, and its `label` for a property.
std::string regions_as_geojson(std::span<const LabelledRegion> regions,
                               const Control& control = {});

/// The whole image at once.
Image phantom(const PhantomOptions& options, const Control& control = {});

}  // namespace meander
