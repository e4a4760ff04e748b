// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/file/input_file.hpp"
#include "io/image/spacing.hpp"

/// The structure of a TIFF file: header, chain of directories, their entries. Read here and not by
/// libtiff, which loads lists of strips before anyone could compare them with the file's size,
/// walks the chain from its start for every page, and copies pixels that could be read in place.
/// What libtiff alone can do, decompress, is left to it (tiff_decoder).
namespace meander::io {

struct TiffEntry {
  std::uint16_t tag = 0;
  std::uint16_t type = 0;
  std::uint64_t count = 0;
  std::uint64_t position = 0;  ///< Where in the file the values are, inside the entry or elsewhere.
};

struct TiffDirectory {
  std::uint64_t position = 0;
  std::uint64_t next = 0;  ///< Position of the next one; 0 after the last.
  std::vector<TiffEntry> entries;
  const TiffEntry* find(std::uint16_t tag) const;
};

class TiffStructure {
 public:
  /// Reads the header. Throws MalformedFile when the file is shorter than one.
  explicit TiffStructure(const InputFile& file);

  const InputFile& file() const { return file_; }
  bool swapped() const { return swapped_; }  ///< Numbers are not in this machine's byte order.
  bool big() const { return big_; }

  /// Visits the directories of the main chain; bounded by the file's size, loops are MalformedFile.
  void each_directory(const std::function<void(const TiffDirectory&)>& visit) const;

  /// One directory by its position.
  TiffDirectory directory_at(std::uint64_t position) const;

  /// Values of an integer entry. Throws MalformedFile when they lie outside the file, are no
  /// integers or are fewer than `least`.
  std::vector<std::uint64_t> integers(const TiffEntry& entry, std::uint64_t least = 1) const;
  /// The first value of an integer entry, or `otherwise` when the directory has no such entry.
  std::uint64_t integer(const TiffDirectory& directory, std::uint16_t tag,
                        std::uint64_t otherwise) const;
  /// A positive quotient, or nothing.
  std::optional<Rational> rational(const TiffDirectory& directory, std::uint16_t tag) const;
  /// Characters up to the first NUL; empty when absent.
  std::string text(const TiffDirectory& directory, std::uint16_t tag) const;

 private:
  std::uint64_t number(std::uint64_t position, std::size_t bytes) const;
  std::uint64_t decode(const std::byte* bytes, std::size_t count) const;
  TiffEntry entry_from(const std::byte* bytes, std::uint64_t position) const;
  void check_inside(const TiffEntry& entry) const;

  const InputFile& file_;
  bool swapped_ = false;
  bool big_ = false;
};

}  // namespace meander::io
