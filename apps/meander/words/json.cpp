// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "words/json.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "words/json_library.hpp"

namespace meander::app {

Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

Json::Json(std::initializer_list<Json> values) {
  const bool has_members = std::all_of(values.begin(), values.end(), [](const Json& value) {
    return value.kind_ == Kind::array && value.size() == 2 && value.values_[0].is_text();
  });
  kind_ = has_members ? Kind::object : Kind::array;
  for (const Json& value : values) {
    if (has_members) {
      (*this)[value.values_[0].text_] = value.values_[1];
    } else {
      values_.push_back(value);
    }
  }
}

double Json::number() const {
  if (kind_ == Kind::whole) return static_cast<double>(static_cast<std::uint64_t>(integer_));
  return kind_ == Kind::integer ? static_cast<double>(integer_) : real_;
}

void Json::push_back(Json value) {
  if (is_null()) kind_ = Kind::array;
  if (kind_ != Kind::array) throw std::logic_error("a JSON value that is no array has no elements");
  values_.push_back(std::move(value));
}

std::size_t Json::index_of(std::string_view name) const {
  return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
}

Json& Json::operator[](std::string_view name) {
  if (is_null()) kind_ = Kind::object;
  if (kind_ != Kind::object)
    throw std::logic_error("a JSON value that is no object has no members");
  const std::size_t index = index_of(name);
  if (index == names_.size()) {
    names_.emplace_back(name);
    values_.emplace_back();
  }
  return values_[index];
}

const Json& Json::operator[](std::string_view name) const {
  if (!contains(name)) throw std::out_of_range("no member " + std::string(name));
  return values_[index_of(name)];
}

bool Json::contains(std::string_view name) const { return index_of(name) < names_.size(); }

void Json::update(const Json& members) {
  for (std::size_t i = 0; i < members.names_.size(); ++i) {
    (*this)[members.names_[i]] = members.values_[i];
  }
}

void Json::erase(std::string_view name) {
  const auto index = static_cast<std::ptrdiff_t>(index_of(name));
  if (!contains(name)) return;
  names_.erase(names_.begin() + index);
  values_.erase(values_.begin() + index);
}

/// The library's value of the same content.
class JsonWriter {
 public:
  static LibraryJson library_value(const Json& json) {
    switch (json.kind_) {
      case Json::Kind::null:
        break;
      case Json::Kind::boolean:
        return json.integer_ != 0;
      case Json::Kind::integer:
        return json.integer_;
      case Json::Kind::whole:
        return static_cast<std::uint64_t>(json.integer_);
      case Json::Kind::real:
        return json.real_;
      case Json::Kind::text:
        return json.text_;
      case Json::Kind::array:
        return array(json);
      case Json::Kind::object:
        return object(json);
    }
    return nullptr;
  }

 private:
  static LibraryJson array(const Json& json) {
    LibraryJson values = LibraryJson::array();
    for (const Json& value : json) values.push_back(library_value(value));
    return values;
  }

  static LibraryJson object(const Json& json) {
    LibraryJson members = LibraryJson::object();
    for (std::size_t i = 0; i < json.size(); ++i) {
      members[json.names_[i]] = library_value(json.values_[i]);
    }
    return members;
  }
};

std::string Json::dump(int indentation) const {
  return JsonWriter::library_value(*this).dump(indentation, ' ', false,
                                               LibraryJson::error_handler_t::replace);
}

namespace {

Json json_of(const LibraryJson& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  Json json = value.is_object() ? Json::object() : value.is_array() ? Json::array() : Json();
  if (value.is_array()) {
    for (const LibraryJson& element : value) json.push_back(json_of(element));
  }
  if (value.is_object()) {
    for (const auto& [name, member] : value.items()) json[name] = json_of(member);
  }
  return json;
}

}  // namespace

Json Json::parse(std::string_view text) {
  return json_of(LibraryJson::parse(text, nullptr, false));
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json number_or_text(const std::string& text) {
  const Json value = Json::parse(text);
  return value.is_number() ? value : Json(text);  // JSON has no infinity
}

}  // namespace meander::app
