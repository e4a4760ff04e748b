// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

/// What Perrot, "GPU-accelerated snake" (FEMTO-ST, 2012), says of itself: ratios and shares. There
/// is no absolute time in it, neither of a run nor of an iteration.
namespace meander::bench {

/// "On images of size between 10 and 150 Mpixels: speedup around x7 compared with SSE2."
inline constexpr double paper_segment_speedup = 7;
inline constexpr double paper_segment_megapixels[] = {10, 150};

/// Of the time of its program on the processor: "GL criterion (60%) and cumulated images (20%)".
inline constexpr double paper_segment_criterion = 0.6;
inline constexpr double paper_segment_cumulated = 0.2;

/// "15 Mpixels image (SSE implementation limit)."
inline constexpr double paper_segment_limit_megapixels = 15;

/// Two cumulated images of 64 bits are kept; "the element values of the third are being computed on
/// the fly".
inline constexpr int paper_segment_bytes = 16;

}  // namespace meander::bench
