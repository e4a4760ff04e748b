// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "meander/control.hpp"
#include "meander/device.hpp"
#include "meander/image.hpp"
#include "meander/options.hpp"
#include "meander/precision.hpp"
#include "meander/work.hpp"

/// Reaction-diffusion cellular networks as image filters. Every pixel is a cell with two states,
///
///     u' = c·u - u³/3 - v + D1·Δu        v' = -e·(u - b·v + a) + D2·Δv,
///
/// which both begin as gain·x, x being the pixel mapped to [-1, 1], and are advanced by explicit
/// steps of dt. What the network does to the image is in the genes a, b, c, e.
namespace meander {

namespace io {
class FrameSource;
}

/// What the cells of a network are like.
struct Genes {
  /// Of the equations above, each from -1000 to 1000.
  double a = -0.5, b = 1.2, c = 1, e = -0.1;
  friend bool operator==(const Genes&, const Genes&) = default;
};
/// "a=-0.5,b=1.2,c=1,e=-0.1", in any order. Those not named become NaN, which `validate` refuses:
/// whoever takes such a text fills them in.
template <>
struct OptionText<Genes> {
  static Genes parse(std::string_view text);
  static std::string format(const Genes& value);
  static std::string syntax() { return "a=A,b=B,c=C,e=E or some of them"; }
};
/// Those that are NaN in `named` taken from `others`.
Genes completed(Genes named, const Genes& others);
/// Found by argument-dependent lookup from `validate`.
inline void check_range(const Genes& genes, const OptionInfo& info) {
  detail::check_range(std::array{genes.a, genes.b, genes.c, genes.e}, info);
}

/// Neighbours of a cell in 2-D: four (5-point) or eight (the isotropic 9-point Laplacian). Volumes
/// have the six of the 7-point Laplacian.
enum class ReactLaplacian : std::uint8_t { five, nine };
template <>
struct ChoiceNames<ReactLaplacian> {
  static constexpr std::pair<ReactLaplacian, std::string_view> values[] = {
      {ReactLaplacian::five, "5"}, {ReactLaplacian::nine, "9"}};
};

/// What stands beyond the border: the nearest cell (zero flux), the cell as far inside as this is
/// outside, the opposite side, or a cell whose states stay 0.
enum class ReactBorder : std::uint8_t { clamp, mirror, periodic, fixed };
template <>
struct ChoiceNames<ReactBorder> {
  static constexpr std::pair<ReactBorder, std::string_view> values[] = {
      {ReactBorder::clamp, "clamp"},
      {ReactBorder::mirror, "mirror"},
      {ReactBorder::periodic, "periodic"},
      {ReactBorder::fixed, "fixed"}};
};

/// Which states become an image; both: two channels, u first.
enum class ReactLayer : std::uint8_t { u, v, both };
template <>
struct ChoiceNames<ReactLayer> {
  static constexpr std::pair<ReactLayer, std::string_view> values[] = {
      {ReactLayer::u, "u"}, {ReactLayer::v, "v"}, {ReactLayer::both, "both"}};
};

/// Which pixel values become -1 and 1. `full`: the ends of integer types (0 and 255, 0 and 65535,
/// -32768 and 32767), the smallest and largest pixel of floats; `range`: the smallest and largest
/// pixel of any type, all channels taken together; `given`: these, and pixels beyond them go beyond
/// -1 and 1; `automatic`: those of `find_window`, and pixels beyond them become -1 and 1; `fit`:
/// `automatic` where the range is one of few pixels (FoundWindow::is_range_of_few), else `range`.
/// Where they are equal, all pixels become 0.
struct ReactWindow {
  enum class Kind : std::uint8_t { full, range, automatic, fit, given };  ///< Which of the five.
  Kind kind = Kind::full;                                                 ///< Which of them.
  /// Of `given`; of `automatic` where the first is smaller: found already, as of a whole film.
  std::array<double, 2> ends{0, 0};
  ReactWindow() = default;
  ReactWindow(Kind automatic) : kind(automatic) {}  ///< One that needs no ends.
  ReactWindow(double low, double high) : kind(Kind::given), ends{low, high} {}  ///< `given`.
  friend bool operator==(const ReactWindow&, const ReactWindow&) = default;
};
template <>
struct OptionText<ReactWindow> {
  static ReactWindow parse(std::string_view text);
  static std::string format(const ReactWindow& value);
  static std::string syntax() { return "full, range, auto, fit or LO,HI"; }
};

/// How states become pixels. `range`: the smallest becomes 0 and the largest the type's largest
/// value; `window`: the same with given ends; `input`: back through the map by which pixels became
/// states. Float images hold the states themselves with `range` and `window`.
struct ReactMap {
  enum class Kind : std::uint8_t { range, window, input };  ///< Which of the three.
  Kind kind = Kind::range;                                  ///< Which of them.
  std::array<double, 2> window{0, 0};  ///< States that become the ends, of `window`.
  friend bool operator==(const ReactMap&, const ReactMap&) = default;
};
template <>
struct OptionText<ReactMap> {
  static ReactMap parse(std::string_view text);
  static std::string format(const ReactMap& value);
  static std::string syntax() { return "range, input or LO,HI"; }
};

/// A network, how it is run, and how pixels become states and back.
struct ReactOptions {
  Genes genes;
  std::array<double, 2> diffusion{0, 2.2};  ///< D1, D2; per pixel, whatever the spacing.
  double dt = 0.1;
  double gain = 0.5;
  std::int64_t steps = 200;
  ReactLaplacian laplacian = ReactLaplacian::five;
  ReactBorder border = ReactBorder::clamp;
  ReactLayer layer = ReactLayer::u;
  ReactWindow window;
  ReactMap output_map;
  double settle = 0;
  Precision precision = Precision::float32;
  bool force = false;

  template <class Visitor>
  void describe(Visitor& v) {
    v(genes, {.name = "genes", .min = -1e3, .max = 1e3, .help = "the genes of the cells"});
    v(diffusion, {.name = "diffusion",
                  .min = 0,
                  .max = 1e3,
                  .help = "D1,D2: how strongly u and v are coupled to their neighbours"});
    v(dt, {.name = "dt", .min = 1e-6, .max = 10, .help = "time of one step"});
    v(gain, {.name = "gain",
             .min = 1e-3,
             .max = 10,
             .help = "state that a pixel at the upper end of the window begins with"});
    v(steps, {.name = "steps", .min = 0, .max = 1e7, .help = "number of steps"});
    v(laplacian,
      {.name = "laplacian",
       .help = "points of the Laplacian of 2-D images: 5, or the isotropic 9; volumes have 7"});
    v(border, {.name = "border", .help = "what stands beyond the border; fixed is a state of 0"});
    v(layer, {.name = "layer", .help = "which state to write; both: two channels, u first"});
    v(window, {.name = "window",
               .help = "pixel values that become -1 and 1: the ends of an integer type (of floats "
                       "the range), the range of the pixels, auto: the 0.1 and 99.9 percentiles, "
                       "beyond which pixels become -1 and 1 too, fit: the range unless those few "
                       "pixels hold more than half of it, then auto, or LO to HI"});
    v(output_map, {.name = "output-map",
                   .help = "how states become pixels of integer types: their own range, back "
                           "through the window and gain (floats too), or states LO to HI"});
    v(settle, {.name = "settle",
               .min = 0,
               .max = 1e3,
               .help = "stop early once no state changes by more than this in a unit of time; 0 "
                       "never does"});
    v(precision,
      {.name = "precision", .help = "arithmetic and states; f64 images are always done in double"});
    v(force, {.name = "force", .help = "run with a dt beyond the limit of stability"});
  }
};

/// Presets are text files of lines `option = value` with the names above; `#` begins a comment.
/// Names of the built-in ones: edges, contrast, threshold, binarise, denoise, labyrinth.
std::vector<std::string> react_preset_names();
/// A built-in one. Throws InvalidArgument with the names there are.
ReactOptions react_preset(std::string_view name);
/// The text of a preset file; what it does not name keeps its default. Throws InvalidArgument that
/// begins with `source` and names the line and what was expected.
ReactOptions parse_react_preset(std::string_view text, std::string_view source);

/// The dt from which on the explicit steps grow without bound: min(2/(k·D2 - e·b),
/// 2/(k·D1 + q - c)), k = 8 (5-point), 16/3 (9-point) or 12 (volumes), q = max(4, 4·c, gain²) the
/// u² that states stay below; infinity where neither limits. Throws InvalidArgument when e·b > 0,
/// for then v grows whatever dt is.
double react_dt_limit(const Shape& shape, const ReactOptions& options);
/// The same options with dt lowered to 0.9 of the limit or a little less, if it is not below the
/// limit, and steps raised so that steps·dt stays the same: what a preset made for images needs in
/// volumes.
ReactOptions with_stable_dt(const Shape& shape, ReactOptions options);

/// Figures of one run, over all channels. Each channel settles by itself.
struct ReactFigures {
  std::int64_t steps = 0;  ///< The most that a channel ran; fewer than asked for if all settled.
  double dt_limit = 0;     ///< See react_dt_limit.
  double change = 0;     ///< Largest |change| of a state per unit of time in the last step sampled;
                         ///< NaN when none was sampled.
  bool settled = false;  ///< Whether all channels settled.
  std::array<double, 2> window{0, 0};  ///< Pixel values that became -1 and 1.
  std::int64_t beyond = 0;             ///< Pixels beyond a window found by itself.
  std::array<double, 2> u{0, 0};       ///< Smallest and largest at the end.
  std::array<double, 2> v{0, 0};       ///< The same.
  std::string method;                  ///< How the device did the steps, and why, in words.
};

/// Asked for while a network runs: `take` gets the layers after each of the steps named, which are
/// rising; 0 is the start. None is taken after all channels have settled. Every image belongs to
/// the receiver.
struct ReactSnapshots {
  std::vector<std::int64_t> at;  ///< Numbers of steps, rising.
  /// Called on the caller's thread.
  std::function<void(std::int64_t step, const Image& layers)> take;
};

/// What a network makes of such images: f32, or f64 with double precision or for f64 images; one
/// channel (both: two, u first) for each channel of the image.
Description react_layers(const Description& image, const ReactOptions& options);

/// A network for images of one description, reused from image to image (a film): memory is taken
/// once. Channels are networks of their own. Not for two threads at a time.
class Reactor {
 public:
  /// Throws InvalidArgument for values out of range, a dt not below the limit (unless forced) or 9
  /// points in a volume; Unsupported for float64 on a device without it.
  Reactor(const Device& device, const Description& image, const ReactOptions& options);
  Reactor(Reactor&&) noexcept;
  Reactor& operator=(Reactor&&) noexcept;
  ~Reactor();

  /// The states of the chosen layer; see react_layers. The image must be on the reactor's device,
  /// with finite pixels, and none so far beyond a given window that dt is too large for the state
  /// it begins with. Throws NotConverged when states run away (NaN, or beyond 1000). Cost: about 16
  /// bytes moved and 13 operations a cell, channel and step.
  Image run(const Image& image, const ReactSnapshots& snapshots = {}, const Control& control = {});
  /// Of the last run.
  const ReactFigures& figures() const;

 private:
  class Network;
  std::unique_ptr<Network> network_;
};

/// What a run leaves.
struct ReactResult {
  Image layers;          ///< See react_layers.
  ReactFigures figures;  ///< See Reactor::figures.
};
/// One run of a Reactor.
ReactResult react(const Image& image, const ReactOptions& options,
                  const ReactSnapshots& snapshots = {}, const Control& control = {});

/// One window and one map for all frames of a film, which would flicker else.
struct ReactFilm {
  ReactOptions options;  ///< With the window that all frames are seen by.
  /// Index of the frame with the widest range of pixels (the first might be blank). Where it is
  /// given, its figures are the map of all: they go to react_pixels for every frame.
  std::optional<std::int64_t> map_frame = {};
  std::int64_t beyond = 0;  ///< Pixels of all frames beyond a window that was found.
};
/// Goes over the frames once where their range is asked for, and up to four times more for the
/// window of `automatic` and `fit` (see find_window). `written` is the type of the pixels that the
/// layers become.
ReactFilm settle_film(const ReactOptions& options, PixelType written, io::FrameSource& frames,
                      const Control& control = {});

/// Layers as pixels of `type` by the map in the options; `figures` are those of their run. Integer
/// types are rounded and saturated; `range` takes each of u and v by its own, and makes a constant
/// layer 0.
Image react_pixels(const Image& layers, const ReactOptions& options, const ReactFigures& figures,
                   PixelType type, const Control& control = {});

/// Bytes of device memory that one run holds at its peak, image and result included; snapshots come
/// on top for as long as the receiver keeps them.
std::int64_t estimate_bytes(const Description& image, const ReactOptions& options,
                            const Device& device);
/// For Device::for_work: from the image to its layers, both in host memory, all steps.
Work estimate_work(const Description& image, const ReactOptions& options);

}  // namespace meander
