// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/file/input_file.hpp"
#include "io/image/source.hpp"
#include "io/image/stored_type.hpp"
#include "meander/image.hpp"

namespace meander::io {

/// Nearly Raw Raster Data: fields of text, an empty line, the numbers; or these in another file
/// (.nhdr). Encodings raw and gzip.
std::unique_ptr<Reader::Source> open_nrrd(InputFile file, const ReadOptions& options);
std::unique_ptr<Writer::Sink> create_nrrd(AtomicFile file, const Description& description,
                                          const WriteOptions& options);

/// What the kind of an axis says about its use. `plain`: nothing; `domain`: space or time.
enum class NrrdRole : std::uint8_t { plain, domain, space, time, channels };

struct NrrdAxis {
  std::int64_t size = 1;
  NrrdRole role = NrrdRole::plain;
  std::optional<Placement::Vector> direction = std::nullopt;
  std::optional<double> spacing = std::nullopt;
  /// Of the centre of the first sample, from "axis mins" and "centerings".
  std::optional<double> start = std::nullopt;
  std::string unit = {};  ///< Empty when there is none.
};

struct NrrdHeader {
  StoredType type = StoredType::u8;
  bool big_endian = false;
  bool compressed = false;
  std::int64_t line_skip = 0;
  std::int64_t byte_skip = 0;  ///< -1: the numbers are the last bytes of the file.
  std::string data_file;       ///< Empty when the numbers follow the header.
  std::int64_t length = 0;     ///< Of the header, the empty line included.
  std::vector<NrrdAxis> axes;  ///< Fastest first.
  WorldAxes world = WorldAxes::unnamed;
  Placement::Vector origin = {0, 0, 0};
  /// Of the world's axes; nothing when the header does not say.
  std::optional<std::vector<std::string>> space_units;
};

/// Reads the text of a header; `file` is only named in messages. Throws MalformedFile and
/// Unsupported. Fields that say nothing about pixels and their place are passed over: content,
/// labels, thicknesses, minima and maxima, the measurement frame; and so are key:=value pairs.
NrrdHeader parse_nrrd_header(const InputFile& file, std::string_view text);

// The words of NRRD; those that are looked up are in lower case.

struct NrrdKind {
  std::string_view name;
  NrrdRole role;
  std::int64_t size = 0;  ///< That an axis of this kind has; 0 when the kind does not say.
};

std::optional<StoredType> nrrd_type(std::string_view name);
/// Null for one that is not known; complex numbers and matrices are not.
const NrrdKind* nrrd_kind(std::string_view name);
/// Long or short: "left-posterior-superior" or "lps".
std::optional<WorldAxes> nrrd_world(std::string_view name);
/// As it is written; empty for unnamed axes.
std::string_view nrrd_name(WorldAxes axes);

}  // namespace meander::io
