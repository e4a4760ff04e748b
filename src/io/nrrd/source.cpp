// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <utility>

#include "io/file/sibling_file.hpp"
#include "io/image/volume_header.hpp"
#include "io/nrrd/axes.hpp"
#include "io/nrrd/nrrd.hpp"

namespace meander::io {
namespace {

/// Where the line after `lines` more of them begins.
std::int64_t after_lines(const InputFile& file, std::int64_t begin, std::int64_t lines) {
  if (lines == 0) return begin;
  const std::int64_t room = std::clamp<std::int64_t>(file.size() - begin, 0, longest_header);
  std::string text(static_cast<std::size_t>(room), ' ');
  file.read(begin, std::as_writable_bytes(std::span(text)));
  std::size_t end = 0;
  for (std::int64_t line = 0; line < lines; ++line) {
    end = text.find('\n', end);
    if (end == text.npos) {
      file.malformed("found a line skip of ", lines, ", expected as many lines before the pixels");
    }
    ++end;
  }
  return begin + static_cast<std::int64_t>(end);
}

/// The bytes to skip belong to what a compressed stream holds, otherwise to the file.
void set_begin(const InputFile& data, const NrrdHeader& header, std::int64_t begin,
               RawImage& image) {
  RawLayout& layout = image.layout;
  layout.data_begin = after_lines(data, begin, header.line_skip);
  if (header.byte_skip < 0) {
    layout.data_begin = begin_of_last(data, image, layout.data_begin);
  } else {
    layout.skipped = header.byte_skip;
  }
}

}  // namespace

std::unique_ptr<Reader::Source> open_nrrd(InputFile file, const ReadOptions&) {
  const NrrdHeader header = parse_nrrd_header(file, header_text(file));
  RawImage image = nrrd_image(file, header);
  std::optional<InputFile> data;
  if (!header.data_file.empty()) data.emplace(open_sibling(file, header.data_file));
  set_begin(data ? *data : file, header, data ? 0 : header.length, image);
  return open_raw(std::move(file), std::move(data), image);
}

}  // namespace meander::io
