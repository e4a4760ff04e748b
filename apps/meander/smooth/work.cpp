// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>

#include "input/input_image.hpp"
#include "meander/convert.hpp"
#include "meander/statistics.hpp"
#include "session/timed_compute.hpp"
#include "smooth/smooth.hpp"

namespace meander::app {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::int64_t bytes_left(const Device& device) {
  return static_cast<std::int64_t>(device.available_memory());
}

}  // namespace

SmoothWork::SmoothWork(Session& session, const SmoothVerbOptions& options, io::Reader& reader,
                       io::Reader* mask, const Description& result, const Description& output)
    : session_(session),
      options_(options),
      reader_(reader),
      mask_(mask),
      result_(result),
      output_(output) {
  const Description& input = reader.description();
  const Device cpu = Device::open("cpu");
  const auto fits = [&](const Device& device) {
    return bytes_at_once(device) <= static_cast<std::int64_t>(session.budget(device));
  };
  Work work = estimate_work(input, options, mask_description());
  work *= static_cast<double>(options.repeat.value_or(0) + 1);
  // What goes in slabs on `cpu` too goes where it ends sooner.
  session.plan(work, [&](const Device& device) { return fits(device) || !fits(cpu); });
  whole_bytes_ = bytes_at_once(session.device());
  slabs_ = {.height = io::slab_length(input.shape), .slabs = 1, .bytes = whole_bytes_};
  in_slabs_ = !fits_at_once();
  if (!in_slabs_) return;
  if (options.repeat) {
    throw InvalidArgument(fmt::format(
        "--repeat: the image needs {} bytes, expected it to fit into the {} bytes that are left",
        whole_bytes_, bytes_left(session.device())));
  }
  slabs_ = plan_smooth_slabs(stream(nullptr, {}), options, session.device());
}

const Description* SmoothWork::mask_description() const {
  return mask_ != nullptr ? &mask_->description() : nullptr;
}

std::int64_t SmoothWork::bytes_at_once(const Device& device) const {
  const std::int64_t bytes =
      estimate_bytes(reader_.description(), options_, device, mask_description());
  if (output_.type == result_.type) return bytes;
  return std::max(bytes, padded_bytes(result_) + padded_bytes(output_));
}

bool SmoothWork::fits_at_once() const {
  // A device with memory of its own needs the host's for what is read and written.
  const std::int64_t on_host = std::max(padded_bytes(reader_.description()), padded_bytes(output_));
  return whole_bytes_ <= bytes_left(session_.device()) &&
         on_host <= bytes_left(Device::open("cpu"));
}

void SmoothWork::run(io::Writer& writer) {
  if (in_slabs_) {
    run_in_slabs(writer);
  } else {
    run_at_once(writer);
  }
}

Image SmoothWork::smoothed(const Image& image, const Image& mask, const Control& control) {
  Image out;
  timed_compute(session_, options_.repeat, [&] {
    out = Image();
    out = run_named(session_.argument(0),
                    [&] { return smooth(image, options_, {.mask = mask}, control); });
  });
  return out;
}

Image SmoothWork::as_output(const Image& result) {
  ValueLosses losses = losses_of(result, {.type = output_.type}, session_.argument(1));
  const bool may_propagate =
      options_.nonfinite == Nonfinite::propagate && !is_integer(reader_.description().type);
  if (may_propagate) losses.not_finite = statistics(result).nonfinite;
  session_.add_losses(losses);
  return result.type() == output_.type ? result : convert(result, {.type = output_.type});
}

void SmoothWork::run_at_once(io::Writer& writer) {
  Report& report = session_.report();
  const Device& device = session_.device();
  Image image =
      report.timed("read", [&] { return device.upload(reader_.read(session_.control(0, 0.2))); });
  Image mask;
  if (mask_ != nullptr) {
    mask = report.timed("read", [&] { return device.upload(mask_->read(session_.control(0.2))); });
  }
  Image out = smoothed(image, mask, session_.control(0.2, 0.8));
  image = mask = Image();
  report.timed("write", [&] { write_whole(as_output(out), writer); });
}

/// Part by part, so that a device hands out one while the last is written, and no memory is taken
/// for all of them.
void SmoothWork::write_whole(const Image& out, io::Writer& writer) {
  constexpr std::int64_t bytes_of_part = std::int64_t{64} << 20;
  const Shape& shape = out.shape();
  const std::int64_t length = io::slab_length(shape);
  const std::int64_t each =
      std::max<std::int64_t>(1, bytes_of_part / (padded_bytes(out.description()) / length));
  const auto part_from = [&](std::int64_t begin) {
    const std::int64_t end = std::min(begin + each, length);
    return (shape.rank() == 3 ? out.slices(begin, end) : out.rows(begin, end)).download();
  };
  const auto done = [&](std::int64_t end) {
    return 0.8 + 0.2 * static_cast<double>(std::min(end, length)) / static_cast<double>(length);
  };
  // In host memory a part is a view.
  const auto how = session_.device().info().is_gpu ? std::launch::async : std::launch::deferred;
  Image part = part_from(0);
  for (std::int64_t begin = 0; begin < length; begin += each) {
    std::future<Image> coming;
    if (begin + each < length) coming = std::async(how, part_from, begin + each);
    writer.append(part, session_.control(done(begin), done(begin + each)));
    if (coming.valid()) part = coming.get();
  }
}

SmoothStream SmoothWork::stream(io::Writer* writer, const Control& control) {
  Report& report = session_.report();
  SmoothStream stream{.image = reader_.description()};
  stream.read = [this, &report, control](std::int64_t begin, std::int64_t end) {
    return report.timed("read", [&] { return reader_.slab(begin, end, {.stop = control.stop}); });
  };
  if (mask_ != nullptr) {
    stream.read_mask = [this, &report, control](std::int64_t begin, std::int64_t end) {
      return report.timed("read", [&] { return mask_->slab(begin, end, {.stop = control.stop}); });
    };
  }
  stream.write = [this, &report, writer, control](const Image& slab) {
    report.timed("write",
                 [&] { writer->append(as_output(slab).download(), {.stop = control.stop}); });
  };
  stream.spill_folder = std::filesystem::path(session_.argument(1)).parent_path();
  // An eighth is left to what formats hold beside the slabs.
  constexpr double share_of_slabs = 0.875;
  stream.memory_bytes = static_cast<std::int64_t>(
      static_cast<double>(bytes_left(session_.device())) * share_of_slabs * share_of_smoothing());
  return stream;
}

/// A slab in the written type takes the place of what it was made of, which a plan counts as the
/// input and its first pass at least; what it needs beyond that is kept from the plan, and a little
/// more, because recursive filters give their passes back late (measured: 1.12 of 128 MB without).
double SmoothWork::share_of_smoothing() const {
  if (output_.type == result_.type) return 1;
  constexpr double late = 0.9;
  Description first = result_;
  first.channels = reader_.description().channels;
  const std::int64_t freed = padded_bytes(reader_.description()) + padded_bytes(first);
  const auto planned = static_cast<double>(freed + padded_bytes(result_));
  const auto beyond = static_cast<double>(std::max<std::int64_t>(0, padded_bytes(output_) - freed));
  return late * planned / (planned + beyond);
}

void SmoothWork::run_in_slabs(io::Writer& writer) {
  Report& report = session_.report();
  const Control control = session_.control();
  const double files_before = report.seconds("read") + report.seconds("write");
  const auto begin = Clock::now();
  const double spill = run_named(session_.argument(0), [&] {
    return smooth_stream(stream(&writer, control), options_, session_.device(), control);
  });
  const double files = report.seconds("read") + report.seconds("write") - files_before;
  report.set_seconds("compute", seconds_since(begin) - files - spill);
  report.set_seconds("spill", spill);
}

}  // namespace meander::app
