// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/file/input_file.hpp"
#include "io/image/source.hpp"

namespace meander::io {

// The table of formats. A new one is a folder with its source and sink, and a line in format.cpp.

using OpenSource = std::unique_ptr<Reader::Source> (*)(InputFile, const ReadOptions&);
using CreateSink = std::unique_ptr<Writer::Sink> (*)(AtomicFile, const Description&,
                                                     const WriteOptions&);
using Recognise = bool (*)(const InputFile&);

struct FormatEntry {
  Format format;
  /// First bytes of a file of this format; empty when another entry reads what this one writes.
  std::vector<std::string_view> magics;
  OpenSource open;    ///< Null when the build has no such format or it can only be written.
  CreateSink create;  ///< Null when the build has no such format or it can only be read.
  /// For formats that no magic tells; asked when no entry's magic fits.
  Recognise recognise = nullptr;
};

/// The format of a file's content. Throws MalformedFile for an empty file, Unsupported for a
/// content that is not known, can only be written or is not built.
const FormatEntry& format_of_content(const InputFile& file);

/// The format that `path`'s suffix names. Throws Unsupported when there is none, it is not built
/// or can only be read.
const FormatEntry& format_of_suffix(const std::filesystem::path& path);
/// The same for reading or writing; null where there is none or it is not built.
const Format* known_format(const std::filesystem::path& path);

// Files that Meander does not read, by what they are.

/// "a DICOM file: convert it with dcm2niix"; nothing for a content that is not known.
std::optional<std::string> name_of_content(const InputFile& file);

/// DICOM leaves the first 128 bytes to others, so such a file may begin like any format.
bool is_dicom(const InputFile& file);
inline constexpr const char* dicom_name = "a DICOM file: convert it with dcm2niix";

/// "a Zarr folder", for a folder that is known as something.
std::optional<std::string> name_of_folder(const std::filesystem::path& path);

}  // namespace meander::io
