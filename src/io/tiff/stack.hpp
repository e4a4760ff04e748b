// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#include "meander/io.hpp"

namespace meander::io {

/// How an image or film that is written goes onto pages: channels first, then slices, then frames,
/// ImageJ's order. Channels are samples of one page in a single 2-D image, and in every picture of
/// colours (three or four of u8 or u16); in other volumes and films they are pages, because ImageJ
/// opens no page of other samples.
class TiffStack {
 public:
  explicit TiffStack(const Description& image, const Film& film = {});

  const Description& image() const { return image_; }
  const Film& film() const { return film_; }
  /// One page, with its samples as channels.
  const Description& page() const { return page_; }
  std::int64_t channel_pages() const { return image_.channels / page_.channels; }
  std::int64_t pages() const { return channel_pages() * image_.shape.z * film_.frames; }
  /// Of all pages. The writer has seen to it that this does not overflow.
  std::int64_t bytes() const { return image_.bytes() * film_.frames; }
  bool is_colour() const;

 private:
  Description image_;
  Film film_;
  Description page_;
};

}  // namespace meander::io
