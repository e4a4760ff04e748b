// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/npy/npy.hpp"

#include <bit>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "io/file/input_file.hpp"

namespace meander::io {
namespace {

static_assert(std::endian::native == std::endian::little, "files are written in memory order");

constexpr std::size_t longest_header =
    65535;  // what version 1 can express; NumPy stops far earlier
constexpr std::size_t magic_length = 6;
constexpr std::size_t data_alignment = 64;

constexpr std::pair<std::string_view, StoredType> element_types[] = {
    {"u1", StoredType::u8},  {"b1", StoredType::u8},  {"u2", StoredType::u16},
    {"u4", StoredType::u32}, {"u8", StoredType::u64}, {"i1", StoredType::i8},
    {"i2", StoredType::i16}, {"i4", StoredType::i32}, {"i8", StoredType::i64},
    {"f2", StoredType::f16}, {"f4", StoredType::f32}, {"f8", StoredType::f64}};

/// Reads the one Python expression that a header may be: a dictionary of three literals.
class HeaderParser {
 public:
  HeaderParser(const InputFile& file, std::string_view text) : file_(file), text_(text) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      parse_item();
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (!text_.empty() || !descr_ || !fortran_order_ || !shape_) refuse();
    NpyHeader header;
    set_type(header);
    header.fortran_order = *fortran_order_;
    header.shape = *shape_;
    return header;
  }

 private:
  [[noreturn]] void refuse() const {
    file_.malformed("the NPY header is not a dictionary of descr, fortran_order and shape");
  }

  void skip_space() {
    const auto start = text_.find_first_not_of(" \n");
    text_.remove_prefix(start == std::string_view::npos ? text_.size() : start);
  }
  bool accept(char c) {
    skip_space();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) refuse();
  }
  bool accept_word(std::string_view word) {
    skip_space();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  std::string_view parse_string() {
    const char quote = accept('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const auto end = text_.find(quote);
    if (end == std::string_view::npos) refuse();
    const std::string_view value = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return value;
  }

  void parse_item() {
    const std::string_view key = parse_string();
    expect(':');
    if (key == "descr" && !descr_) {
      parse_descr();
    } else if (key == "fortran_order" && !fortran_order_) {
      parse_order();
    } else if (key == "shape" && !shape_) {
      parse_shape();
    } else {
      refuse();
    }
  }

  void parse_descr() {
    skip_space();
    if (text_.starts_with('[')) {
      file_.unsupported("found a structured NPY array, expected plain numbers");
    }
    descr_ = parse_string();
  }

  void parse_order() {
    fortran_order_ = accept_word("True");
    if (!*fortran_order_ && !accept_word("False")) refuse();
  }

  void parse_shape() {
    shape_.emplace();
    expect('(');
    while (!accept(')')) {
      shape_->push_back(parse_extent());
      if (accept(',')) continue;
      expect(')');
      break;
    }
  }

  std::int64_t parse_extent() {
    skip_space();
    std::int64_t extent = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), extent);
    if (error == std::errc::result_out_of_range) {
      throw OutOfMemory(message(file_.path().string(), ": claims an axis beyond 2^63"));
    }
    if (error != std::errc() || extent < 0) refuse();
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    if (text_.starts_with('L')) text_.remove_prefix(1);  // Python 2 wrote its long integers so
    return extent;
  }

  void set_type(NpyHeader& header) const {
    const std::string_view descr = *descr_;
    if (descr.find('O') != std::string_view::npos) {
      file_.unsupported("found an NPY array of Python objects (a pickle), expected plain numbers");
    }
    const std::string_view orders = "<>|=";
    if (descr.size() != 3 || orders.find(descr[0]) == std::string_view::npos) refuse_type();
    for (const auto& [name, type] : element_types) {
      if (name != descr.substr(1)) continue;
      header.type = type;
      header.swapped = descr[0] == '>';
      return;
    }
    refuse_type();
  }
  [[noreturn]] void refuse_type() const {
    file_.unsupported("found NPY elements of type '", printable(*descr_),
                      "', expected integers of up to 8 bytes, f2, f4, f8 or b1; "
                      "astype(numpy.float32) makes one");
  }

  const InputFile& file_;
  std::string_view text_;
  std::optional<std::string_view> descr_;
  std::optional<bool> fortran_order_;
  std::optional<std::vector<std::int64_t>> shape_;
};

std::uint32_t little_endian(const InputFile& file, std::size_t offset, std::size_t bytes) {
  std::uint32_t value = 0;
  file.read(static_cast<std::int64_t>(offset),
            std::as_writable_bytes(std::span(&value, 1)).first(bytes));
  return value;
}

std::string_view descr_of(PixelType type) {
  constexpr std::string_view names[] = {"|u1", "<u2", "<i2", "<f2", "<f4", "<f8"};
  return names[static_cast<std::size_t>(type)];
}

std::string shape_text(const Description& description, const Film& film) {
  const Shape& shape = description.shape;
  if (film.frames > 1) {
    return message("(", film.frames, ", ", shape.z, ", ", shape.y, ", ", shape.x, ", ",
                   description.channels, ")");
  }
  std::string text = "(";
  if (shape.z > 1) text += std::to_string(shape.z) + ", ";
  text += std::to_string(shape.y) + ", " + std::to_string(shape.x);
  if (description.channels > 1) text += ", " + std::to_string(description.channels);
  return text + ")";
}

}  // namespace

NpyHeader read_npy_header(const InputFile& file) {
  const std::uint32_t version = little_endian(file, magic_length, 2);
  const std::uint32_t major = version & 0xff;
  if (major < 1 || major > 3 || version >> 8 != 0) {
    file.unsupported("found NPY version ", major, ".", version >> 8, ", expected 1.0, 2.0 or 3.0");
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t length = little_endian(file, magic_length + 2, length_bytes);
  if (length > longest_header) {
    file.malformed("found an NPY header of ", length, " bytes, expected at most ", longest_header);
  }
  const std::size_t start = magic_length + 2 + length_bytes;
  std::string text(length, ' ');
  file.read(static_cast<std::int64_t>(start), std::as_writable_bytes(std::span(text)));
  NpyHeader header = HeaderParser(file, text).parse();
  header.data_offset = static_cast<std::int64_t>(start + length);
  return header;
}

std::string npy_header_text(const Description& description, const Film& film) {
  std::string dictionary = "{'descr': '" + std::string(descr_of(description.type)) +
                           "', 'fortran_order': False, 'shape': " + shape_text(description, film) +
                           ", }";
  const std::size_t start = magic_length + 4;
  const std::size_t used = start + dictionary.size() + 1;
  dictionary.append((data_alignment - used % data_alignment) % data_alignment, ' ');
  dictionary += '\n';
  std::string text = "\x93NUMPY\x01";
  text += '\0';
  text += static_cast<char>(dictionary.size() & 0xff);
  text += static_cast<char>(dictionary.size() >> 8);
  return text + dictionary;
}

}  // namespace meander::io
