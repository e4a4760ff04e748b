// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meander/control.hpp"
#include "meander/image.hpp"

/// Image files: TIFF (BigTIFF, tiled, stacks, hyperstacks of ImageJ and OME), NIfTI, NRRD,
/// MetaImage, PNG and NumPy's NPY; JPEG and BMP for input, GIF for output only. docs/formats.md
/// says what each of them holds and keeps. The input's format is sniffed from its content, the
/// output's comes from the suffix. Values are stored values, never rescaled or inverted; but
/// NIfTI's and MetaImage's slope and intercept are applied, grey of 1, 2 or 4 bits arrives as the 0
/// to 255 it stands for, and a palette as its greys or colours. Images that are stored mirrored or
/// turned, as EXIF and TIFF have it, arrive upright. A format that was left out of the build
/// answers Unsupported by name, and so does a file that is of none of these but is known. Spacing
/// survives a round trip through TIFF, PNG, NRRD and MetaImage to the last bit, through NIfTI-1 as
/// far as float32 holds it; NPY and GIF have no place for it. Every message names the file that it
/// is about.
///
/// Slabs run along z in a volume and along y in a 2-D image, so that files larger than memory can
/// pass through piece by piece; every format can be read (but for GIF) and written in slabs.
namespace meander::io {

/// A part of an image: columns x0 to x1 and rows y0 to y1 of every slice, x1 and y1 not included.
struct Roi {
  std::int64_t x0 = 0;  ///< First column.
  std::int64_t y0 = 0;  ///< First row.
  std::int64_t x1 = 0;  ///< Behind the last column.
  std::int64_t y1 = 0;  ///< Behind the last row.
  friend bool operator==(const Roi&, const Roi&) = default;
};

/// The axis of time.
struct Film {
  std::int64_t frames = 1;  ///< From 1 on.
  double seconds = 0;       ///< From one frame to the next; 0 when it is not known.
  friend bool operator==(const Film&, const Film&) = default;
};

/// What a file says of an image and its film, as one line of JSON: an object with `shape` and
/// `spacing` (z, y and x, or y and x), `channels`, `type` and `unit`; where it is known `placement`
/// (`origin`, `steps`, `axes`, `orientation`; vectors in the order x, y, z, as files have them); of
/// a film of several frames `frames` and `seconds_per_frame`. Numbers have as many digits as bring
/// back the same value; what is not finite or not known is null.
std::string description_json(const Description& description, const Film& film = {});

/// How colours become one channel, of the same type; integers are rounded.
enum class Grey : std::uint8_t {
  luminance,  ///< 0.2126 red + 0.7152 green + 0.0722 blue (Rec. 709), of the stored numbers.
  red,
  green,
  blue,
  max,  ///< Of any number of channels, as the mean.
  mean
};

/// What the pages of a stack are.
enum class Pages : std::uint8_t { frames, slices };

/// A slice of a volume as an image of 2 axes: across z it has columns along x and rows along y,
/// across y columns along x and rows along z, across x columns along y and rows along z.
struct Slice {
  enum class Across : std::uint8_t { x, y, z };  ///< The axis that is cut.
  Across across = Across::z;                     ///< The axis along which slices follow each other.
  std::int64_t index = 0;                        ///< From 0 on.
  friend bool operator==(const Slice&, const Slice&) = default;
};

/// What of a file is read, and what it is taken for.
struct ReadOptions {
  /// A 3-D NPY array is (y, x, channels) rather than a volume; one of 4 axes always has channels
  /// last.
  bool channels_last = false;
  /// The file is read as if it held only this part, with all slices and channels and its spacing:
  /// nothing else takes memory, and rows, tiles and slices beside it are left alone where the
  /// format can pass over them. It must hold a pixel, x0 before x1 and y0 before y1.
  std::optional<Roi> roi = {};
  /// Which frame of a film is read, from 0 on; see Reader::select_frame.
  std::optional<std::int64_t> frame = {};
  /// Only this channel, from 0 on, as an image of one channel.
  std::optional<int> channel = {};
  /// Colours as an image of one channel, which one that is grey stays; opacity is left out. Not
  /// beside `channel`.
  std::optional<Grey> grey = {};
  /// In place of the file's: the size of the pixels that are seen. A placement keeps its directions
  /// and gets steps of that length.
  std::optional<Spacing> spacing = {};
  /// What pages are where the file does not say so, as a TIFF without notes and an NPY of 3 axes.
  /// Of one that does it must be the same.
  std::optional<Pages> pages = {};
  /// What those of Reader::pages_unknown are taken for.
  Pages unknown_pages = Pages::slices;
  /// Only this slice; `roi` is then a part of the slice. See Reader::select_slice.
  std::optional<Slice> slice = {};
};

/// What a file is to say of the image.
struct WriteOptions {
  /// Slabs of all frames follow each other. Only a format that has films (Format::films) takes more
  /// than one.
  Film film = {};
  /// The slices may as well be frames: a TIFF is then written without saying what its pages are.
  bool pages_unknown = false;
  /// Deflate for NRRD and MetaImage, lossless; a `.nii.gz` is compressed anyway, and other formats
  /// answer Unsupported.
  bool compress = false;
};

/// One kind of file this build knows.
struct Format {
  std::string name;                   ///< "TIFF"
  std::vector<std::string> suffixes;  ///< {".tif", ".tiff"}, lower case
  std::vector<PixelType> types;       ///< What it can hold.
  bool readable = true;               ///< False for a format that can only be written.
  bool writable = true;               ///< False for a format that can only be read.
  bool films = false;                 ///< Whether it has an axis of time.
  bool compresses = false;            ///< Whether WriteOptions::compress has an effect.
  bool placement = false;             ///< Whether it has room for Description::placement.
};
/// Every one of them.
std::vector<Format> formats();

/// An open input. Everything in `description` has been checked against the file's size before the
/// constructor returns, nothing has been allocated for pixels.
class Reader {
 public:
  /// Throws FileSystemError, MalformedFile or Unsupported (see error.hpp). A claim that the file's
  /// size belies is OutOfMemory when it also exceeds the `cpu` device's memory budget; one that is
  /// true but exceeds it is OutOfMemory when the pixels are asked for, slab by slab.
  /// InvalidArgument for a `roi` that is empty or reaches beyond the image, for a frame, slice or
  /// channel that the file does not have, for a `grey` of other colours than it has, and for
  /// `pages` that contradict it.
  explicit Reader(const std::filesystem::path& path, const ReadOptions& options = {});
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;
  ~Reader();

  /// Of what is read: one frame, or the part of it that `slice`, `roi` and `channel` asked for.
  const Description& description() const { return description_; }
  /// Of the image in the file, or of its slice.
  const Shape& whole_shape() const;
  int whole_channels() const;  ///< Numbers of a pixel in the file.
  /// Channels in the file that are not opacity, as its format tells.
  int whole_colours() const;
  /// The density for printers that TIFF, PNG or JPEG has, as "300 x 300 pixels per inch"; it says
  /// nothing of the size of pixels and is in no spacing. Empty where there is none.
  const std::string& print_density() const;
  const Film& film() const { return film_; }  ///< Frames of the file, whichever is read.
  /// Whether there are pages of which neither the file nor ReadOptions::pages says what they are.
  bool pages_unknown() const { return pages_unknown_; }
  /// The frame that is read from now on. Where there are several, and neither this nor
  /// ReadOptions::frame has chosen, asking for pixels is an InvalidArgument: none is left out by
  /// accident. Frames of a compressed file are fastest in order.
  void select_frame(std::int64_t frame);
  /// How many slices there are across the axis of ReadOptions::slice, or across z.
  std::int64_t slices() const;
  /// The slice that is read from now on, where ReadOptions::slice chose one. In order they are
  /// faster: across x and y several are then read at a time.
  void select_slice(std::int64_t index);
  const std::string& format() const;  ///< "TIFF", "NIfTI", … as in formats().

  /// Slices [begin, end) of a volume, rows [begin, end) of a 2-D image, in host memory. PNG and
  /// compressed TIFF are fastest when slabs are asked for in order, as is JPEG. Fortran-order NPY
  /// is gone through whole for each slab, and an interlaced PNG is decoded whole and kept.
  Image slab(std::int64_t begin, std::int64_t end, const Control& control = {});
  /// The whole image.
  Image read(const Control& control = {});

  class Source;  ///< One per format; the library's own use.

 private:
  struct Block;  ///< Slices across x or y that were read together.
  void settle_pages(const ReadOptions& options);
  void describe_part();
  Image slab_across(std::int64_t begin, std::int64_t end, const Control& control);
  Image read_part(Description part, std::array<std::int64_t, 3> from, const Control& control);

  std::unique_ptr<Source> source_;
  Description volume_;  ///< The image in the file, upright.
  Film film_;
  bool pages_unknown_ = false;
  bool slices_are_frames_ = false;  ///< Slices of the file are the frames of the film.
  std::optional<Slice> slice_;
  std::unique_ptr<Block> block_;
  Description whole_;  ///< That image, or its slice.
  Roi roi_;            ///< All of it when no part was asked for.
  std::optional<int> channel_;
  std::optional<Grey> grey_;  ///< Of colours that are not one of the channels.
  std::optional<std::int64_t> frame_;
  Description description_;
};

/// Length of the axis along which slabs run.
std::int64_t slab_length(const Shape& shape);

/// An output that appears under its name only when `finish` has succeeded: until then, and on any
/// failure, an older file of that name stays as it is and nothing else is left.
class Writer {
 public:
  /// Throws Unsupported when the suffix is unknown or its format cannot hold the description or do
  /// what the options ask, and FileSystemError when the place cannot be written.
  Writer(const std::filesystem::path& path, const Description& description,
         const WriteOptions& options = {});
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;
  ~Writer();

  /// The next slab, in order; a host image of the announced width, channels and type. After an
  /// exception from writing (not from a slab that does not fit) the output is given up.
  void append(const Image& slab, const Control& control = {});
  /// Completes the file and moves it into place. Throws LogicError when slabs are missing.
  void finish();

  class Sink;  ///< One per format; the library's own use.

 private:
  std::unique_ptr<Sink> sink_;
};

/// The whole image of a file; throws like Reader.
Image read(const std::filesystem::path& path, const ReadOptions& options = {},
           const Control& control = {});
/// `image` must be in host memory (see Image::download).
void write(const std::filesystem::path& path, const Image& image, const WriteOptions& options = {},
           const Control& control = {});

/// A text file, with the same promise as Writer: the whole of it or the old one.
void write_text(const std::filesystem::path& path, std::string_view text);
/// Throws FileSystemError where write_text would, and leaves nothing.
void check_text_target(const std::filesystem::path& path);
/// The whole of a text file. Throws Unsupported for one of more than `most_bytes`.
std::string read_text(const std::filesystem::path& path, std::int64_t most_bytes);

/// Whether the suffix of `path` names a format of this build that can hold numbers of `type`.
bool can_hold(const std::filesystem::path& path, PixelType type);

/// Numbered files, f0001.png, f0002.png, …, named by a pattern as printf has them: the file's name
/// (not its folder's) holds one %d, or one %0Nd (N from 1 to 9) for at least N digits with zeros in
/// front; %% is a percent sign. Numbers are 0 or more. The other two functions throw
/// InvalidArgument for a pattern of another kind.
bool is_sequence(const std::filesystem::path& path);
/// The files there are, in the order of their numbers, which may have gaps; only names that
/// `sequence_file` gives, so each number occurs once. Throws FileSystemError when there is none.
std::vector<std::filesystem::path> sequence_files(const std::filesystem::path& pattern);
/// The name of one of them, whether it exists or not.
std::filesystem::path sequence_file(const std::filesystem::path& pattern, std::int64_t number);

}  // namespace meander::io
