// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/nrrd/nrrd.hpp"

#include <algorithm>
#include <utility>

namespace meander::io {
namespace {

constexpr std::pair<std::string_view, StoredType> type_names[] = {
    {"signed char", StoredType::i8},
    {"int8", StoredType::i8},
    {"int8_t", StoredType::i8},
    {"uchar", StoredType::u8},
    {"unsigned char", StoredType::u8},
    {"uint8", StoredType::u8},
    {"uint8_t", StoredType::u8},
    {"short", StoredType::i16},
    {"short int", StoredType::i16},
    {"signed short", StoredType::i16},
    {"signed short int", StoredType::i16},
    {"int16", StoredType::i16},
    {"int16_t", StoredType::i16},
    {"ushort", StoredType::u16},
    {"unsigned short", StoredType::u16},
    {"unsigned short int", StoredType::u16},
    {"uint16", StoredType::u16},
    {"uint16_t", StoredType::u16},
    {"int", StoredType::i32},
    {"signed int", StoredType::i32},
    {"int32", StoredType::i32},
    {"int32_t", StoredType::i32},
    {"uint", StoredType::u32},
    {"unsigned int", StoredType::u32},
    {"uint32", StoredType::u32},
    {"uint32_t", StoredType::u32},
    {"longlong", StoredType::i64},
    {"long long", StoredType::i64},
    {"long long int", StoredType::i64},
    {"signed long long", StoredType::i64},
    {"signed long long int", StoredType::i64},
    {"int64", StoredType::i64},
    {"int64_t", StoredType::i64},
    {"ulonglong", StoredType::u64},
    {"unsigned long long", StoredType::u64},
    {"unsigned long long int", StoredType::u64},
    {"uint64", StoredType::u64},
    {"uint64_t", StoredType::u64},
    {"float", StoredType::f32},
    {"double", StoredType::f64}};

constexpr NrrdKind kinds[] = {{"???", NrrdRole::plain},
                              {"none", NrrdRole::plain},
                              {"domain", NrrdRole::domain},
                              {"space", NrrdRole::space},
                              {"time", NrrdRole::time},
                              {"list", NrrdRole::channels},
                              {"point", NrrdRole::channels},
                              {"vector", NrrdRole::channels},
                              {"covariant-vector", NrrdRole::channels},
                              {"normal", NrrdRole::channels},
                              {"stub", NrrdRole::channels, 1},
                              {"scalar", NrrdRole::channels, 1},
                              {"2-vector", NrrdRole::channels, 2},
                              {"3-color", NrrdRole::channels, 3},
                              {"rgb-color", NrrdRole::channels, 3},
                              {"hsv-color", NrrdRole::channels, 3},
                              {"xyz-color", NrrdRole::channels, 3},
                              {"3-vector", NrrdRole::channels, 3},
                              {"3-gradient", NrrdRole::channels, 3},
                              {"3-normal", NrrdRole::channels, 3},
                              {"4-color", NrrdRole::channels, 4},
                              {"rgba-color", NrrdRole::channels, 4},
                              {"4-vector", NrrdRole::channels, 4},
                              {"quaternion", NrrdRole::channels, 4}};

struct World {
  WorldAxes axes;
  std::string_view name;
  std::string_view lower;
  std::string_view short_name;
};
constexpr World worlds[] = {
    {WorldAxes::ras, "right-anterior-superior", "right-anterior-superior", "ras"},
    {WorldAxes::las, "left-anterior-superior", "left-anterior-superior", "las"},
    {WorldAxes::lps, "left-posterior-superior", "left-posterior-superior", "lps"},
    {WorldAxes::scanner, "scanner-xyz", "scanner-xyz", ""},
    {WorldAxes::right_handed, "3D-right-handed", "3d-right-handed", ""},
    {WorldAxes::left_handed, "3D-left-handed", "3d-left-handed", ""}};

}  // namespace

std::optional<StoredType> nrrd_type(std::string_view name) {
  for (const auto& [spelling, type] : type_names) {
    if (spelling == name) return type;
  }
  return std::nullopt;
}

const NrrdKind* nrrd_kind(std::string_view name) {
  const auto found = std::ranges::find(kinds, name, &NrrdKind::name);
  return found == std::end(kinds) ? nullptr : found;
}

std::optional<WorldAxes> nrrd_world(std::string_view name) {
  for (const World& world : worlds) {
    if (!name.empty() && (name == world.lower || name == world.short_name)) return world.axes;
  }
  return std::nullopt;
}

std::string_view nrrd_name(WorldAxes axes) {
  const auto found = std::ranges::find(worlds, axes, &World::axes);
  return found == std::end(worlds) ? std::string_view() : found->name;
}

}  // namespace meander::io
