// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>

#include "io/file/input_file.hpp"

/// Files that Meander does not read, by what they are.
namespace meander::io {

/// "a DICOM file: convert it with dcm2niix"; nothing for a content that is not known.
std::optional<std::string> name_of_content(const InputFile& file);

/// DICOM leaves the first 128 bytes to others, so such a file may begin like any format.
bool is_dicom(const InputFile& file);
inline constexpr const char* dicom_name = "a DICOM file: convert it with dcm2niix";

/// "a Zarr folder", for a folder that is known as something.
std::optional<std::string> name_of_folder(const std::filesystem::path& path);

}  // namespace meander::io
