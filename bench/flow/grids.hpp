// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <stop_token>
#include <string>

#include "bench/flow/loops.hpp"
#include "engine/stencil.hpp"
#include "meander/device.hpp"
#include "meander/flow.hpp"
#include "meander/phantom.hpp"

/// The published steps on the same gradient, in the hands of the engine or of a loop.
namespace meander::bench {

/// What is measured: a star, in depth a head, f32, with noise as `phantom --noise gaussian --snr 4`
/// has it; or without noise.
Image flow_image(PhantomKind kind, const Shape& shape, NoiseFamily noise, const Control& control);
PhantomKind flow_kind(const Shape& shape);

/// On the engine of a device. The field begins as the gradient.
class EngineFlow {
 public:
  /// `gradient` is f32 and on the device.
  EngineFlow(const Field& gradient, const FlowStep& step, FlowStorage storage);

  /// An even number of steps, so that the result is where the start was. Returns when they are
  /// done; early, with any state, when stopped.
  void run(std::int64_t steps, const std::stop_token& stop = {});
  /// Copies the field to the image beside it.
  void copy();
  std::string notes() const;
  /// Parts of 1/32767 as they are when the storage is snorm16.
  const Image& field() const { return field_; }
  /// That a pixel and step reads and writes: the field and its gradient, and the field.
  int bytes_of_step() const;

 private:
  const Device device_;
  engine::Iteration iteration_;
  Image gradient_, field_, other_;
};

/// On one thread, in memory of the `cpu` device like the engine's.
class PlainFlow {
 public:
  /// `gradient` is f32 and in host memory.
  PlainFlow(const Field& gradient, const FlowStep& step);

  /// Stops early, with any state, when asked to.
  void run(FlowLoop loop, std::int64_t steps, const std::stop_token& stop = {});
  const Image& field() const { return field_; }

 private:
  FlowVolumes volumes();

  const FlowStep step_;
  Image gradient_, field_, next_;
};

}  // namespace meander::bench
