// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace meander::io {

/// What a header of either version says; names as in the standard. Floats of version 1 are held
/// exactly.
struct NiftiHeader {
  int version = 1;
  bool swapped = false;   ///< Bytes in the other order than this machine's.
  bool detached = false;  ///< The numbers are in a file of their own.
  std::array<std::int64_t, 8> dim = {0, 1, 1, 1, 1, 1, 1, 1};
  int datatype = 0;
  int bitpix = 0;
  int intent_code = 0;
  std::array<double, 8> pixdim = {1, 1, 1, 1, 1, 1, 1, 1};
  double vox_offset = 0;
  double scl_slope = 1;
  double scl_inter = 0;
  int xyzt_units = 0;
  int qform_code = 0;
  int sform_code = 0;
  std::array<double, 3> quatern = {};
  std::array<double, 3> qoffset = {};
  std::array<std::array<double, 4>, 3> srow = {};
};

/// As much of a file's front as parse_nifti_header may want.
inline constexpr std::size_t nifti_front_bytes = 540;
/// Bytes of a header together with the four that say whether extensions follow.
constexpr std::int64_t nifti_header_end(int version) { return version == 1 ? 352 : 544; }

/// Whether bytes begin with the length of a NIfTI header, in either order. Analyze 7.5, which NIfTI
/// grew out of, begins so too.
bool begins_like_nifti(std::span<const std::byte> front);

/// Everything but the type of the numbers has been checked, as far as it can be without the file:
/// magic, axes, offset and scaling. Axes beyond dim[0] are 1 whatever is written there. Throws
/// MalformedFile, and Unsupported for an Analyze header; `path` is what the message begins with.
NiftiHeader parse_nifti_header(const std::filesystem::path& path, std::span<const std::byte> front);

/// The header in little-endian order, up to nifti_header_end.
std::string nifti_header_text(const NiftiHeader& header);

}  // namespace meander::io
