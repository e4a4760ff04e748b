// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <span>

#include "meander/control.hpp"
#include "meander/image.hpp"

/// What the region snake is compared with.
namespace meander::bench {

/// The bin after which a histogram falls into two classes with the largest variance between them:
/// Otsu's threshold. The first of equals; 0 when one class would be empty everywhere.
std::size_t otsu_bin(std::span<const std::uint64_t> histogram);

/// Blur + Otsu, what most people would do: smooth() with that sigma, a histogram of 4096 bins over
/// the range of 16 bits, and a mask (u8, 255 above the threshold) in host memory. On all threads.
/// Memory: 5 bytes a pixel beside what smooth needs.
Image blurred_otsu(const Image& image, double sigma, const Control& control = {});

/// The sum of the 64-bit words of a host image, on one thread: the least that anything which looks
/// at every pixel has to do. Bytes beyond the last whole word of a row are left out.
std::uint64_t read_pass(const Image& image);

}  // namespace meander::bench
