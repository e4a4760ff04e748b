// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace meander::app {

/// A value of JSON; members of an object keep their order. The JSON library adds seconds to the
/// compilation of each file that includes it, so reports are made of this and only written by it.
class Json {
 public:
  Json(std::nullptr_t = nullptr) {}
  Json(bool value) : kind_(Kind::boolean), integer_(value) {}
  template <std::integral T>
  Json(T value)
      : kind_(std::is_signed_v<T> ? Kind::integer : Kind::whole),
        integer_(static_cast<std::int64_t>(value)) {}
  template <class T>
  Json(T*) = delete;  // would be a boolean
  Json(double value) : kind_(Kind::real), real_(value) {}
  Json(std::string value) : kind_(Kind::text), text_(std::move(value)) {}
  Json(std::string_view value) : Json(std::string(value)) {}
  Json(const char* value) : Json(std::string(value)) {}
  /// An array.
  template <std::ranges::input_range Values>
  requires(!std::convertible_to<const Values&, std::string_view> && !std::same_as<Values, Json>)
      Json(const Values& values)
      : kind_(Kind::array) {
    for (const auto& value : values) push_back(value);
  }
  /// An object when all of them are pairs of a name and a value, otherwise an array.
  Json(std::initializer_list<Json> values);
  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;
  ~Json();

  static Json array() { return Json(Kind::array); }
  static Json object() { return Json(Kind::object); }
  /// Null for what is no JSON.
  static Json parse(std::string_view text);

  bool is_null() const { return kind_ == Kind::null; }
  bool is_text() const { return kind_ == Kind::text; }
  bool is_number() const {
    return kind_ == Kind::integer || kind_ == Kind::whole || kind_ == Kind::real;
  }
  bool is_array() const { return kind_ == Kind::array; }
  bool is_object() const { return kind_ == Kind::object; }

  /// Of a number; 0 for what is none.
  double number() const;
  const std::string& text() const { return text_; }

  /// Elements of an array, values of an object.
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  Json& back() { return values_.back(); }
  const Json& at(std::size_t index) const { return values_.at(index); }

  /// Null becomes an array; throws std::logic_error for what is neither.
  void push_back(Json value);

  /// A member, made when there is none: null becomes an object; throws std::logic_error for what is
  /// neither.
  Json& operator[](std::string_view name);
  /// Throws std::out_of_range when there is none.
  const Json& operator[](std::string_view name) const;
  bool contains(std::string_view name) const;
  const std::vector<std::string>& names() const { return names_; }
  /// Takes over the members of another object.
  void update(const Json& members);
  void erase(std::string_view name);

  bool operator==(const Json&) const = default;

  /// Text of one line, or of many with this indentation. JSON is UTF-8; other bytes, as in names of
  /// files, become U+FFFD.
  std::string dump(int indentation = -1) const;

 private:
  friend class JsonWriter;
  enum class Kind { null, boolean, integer, whole, real, text, array, object };
  explicit Json(Kind kind) : kind_(kind) {}
  std::size_t index_of(std::string_view name) const;

  Kind kind_ = Kind::null;
  std::int64_t integer_ = 0;  ///< Of a whole number the same bits, without a sign.
  double real_ = 0;
  std::string text_;
  std::vector<Json> values_;
  std::vector<std::string> names_;  ///< Of the members of an object.
};

/// A number, or null when it is not finite: JSON has no other way.
Json number(double value);
/// Text that is a number as a number, any other as it is.
Json number_or_text(const std::string& text);

}  // namespace meander::app
