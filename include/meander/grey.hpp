// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <string_view>

#include "meander/io.hpp"

/// Grey images that are stored as colours, and opacity beside colours. Whether colours are equal is
/// seen when pixels are read, so that nothing is read twice.
namespace meander::io {

/// Where the last channel says how opaque a pixel is, it is left out.
Description without_alpha(const Reader& reader);
/// Of one channel, where the file has one or three colours.
Description as_grey(const Reader& reader);

/// The first channels of a host image, which share its pixels. Throws InvalidArgument for fewer
/// than 1 and more than it has.
Image first_channels(const Image& image, int count);
/// Whether the first three channels of a host image are equal, bit for bit; what is beyond them is
/// opacity.
bool is_grey(const Image& image, const Control& control = {});
/// The first channel of an image or slab that was announced `as_grey`; shares the pixels. Throws
/// InvalidArgument, with the file and `advice`, for three or more channels of which the first three
/// differ.
Image grey_of(const Image& image, const std::string& path, std::string_view advice = {},
              const Control& control = {});

}  // namespace meander::io
