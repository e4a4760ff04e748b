// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <utility>

#include "io/file/sibling_file.hpp"
#include "io/image/volume_header.hpp"
#include "io/meta_image/header.hpp"
#include "io/meta_image/meta_image.hpp"

namespace meander::io {

bool is_meta_image(const InputFile& file) {
  constexpr std::int64_t longest_first_line = 4096;  // a comment may be long
  std::string text(static_cast<std::size_t>(std::min(file.size(), longest_first_line)), ' ');
  file.read(0, std::as_writable_bytes(std::span(text)));
  return begins_meta_image(text);
}

std::unique_ptr<Reader::Source> open_meta_image(InputFile file, const ReadOptions&) {
  MetaImageHeader header = parse_meta_image_header(file, header_text(file));
  std::optional<InputFile> data;
  if (!header.data_file.empty()) data.emplace(open_sibling(file, header.data_file));
  // The bytes to skip are counted from the file's beginning, behind which a header may be.
  std::int64_t& begin = header.image.layout.data_begin;
  begin = data ? 0 : header.length;
  if (header.data_skip > 0) begin = header.data_skip;
  if (header.data_skip < 0) begin = begin_of_last(data ? *data : file, header.image, begin);
  return open_raw(std::move(file), std::move(data), header.image);
}

}  // namespace meander::io
