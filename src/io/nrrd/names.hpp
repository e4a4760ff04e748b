// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string_view>

#include "io/nrrd/header.hpp"

/// The words of NRRD; those that are looked up are in lower case.
namespace meander::io {

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
