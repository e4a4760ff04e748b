// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <chrono>
#include <future>

#include "core/control_part.hpp"
#include "meander/convert.hpp"
#include "meander/smooth_file.hpp"
#include "meander/statistics.hpp"

namespace meander {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Adds the time of `work`, also where it throws.
template <class Work>
auto timed(double& total, Work&& work) {
  struct Watch {
    double& total;
    const Clock::time_point begin = Clock::now();
    ~Watch() { total += seconds_since(begin); }
  } const watch{total};
  return work();
}

std::int64_t bytes_left(const Device& device) {
  return static_cast<std::int64_t>(device.available_memory());
}

const Description* mask_of(const SmoothFile& file) {
  return file.mask != nullptr ? &file.mask->description() : nullptr;
}

const SmoothFile& check(const SmoothFile& file) {
  if (file.image == nullptr) throw InvalidArgument("a file to smooth without a reader of an image");
  return file;
}

Description of_type(Description description, PixelType type) {
  description.type = type;
  return description;
}

class FileSmoother {
 public:
  FileSmoother(const SmoothFile& file, const SmoothOptions& options, const Device& device)
      : file_(file),
        options_(options),
        device_(device),
        input_(check(file).image->description()),
        result_(plan_smooth(input_, options, mask_of(file)).output),
        output_(of_type(result_, file.written)) {}

  std::int64_t bytes_at_once() const {
    const std::int64_t bytes = estimate_bytes(input_, options_, device_, mask_of(file_));
    if (output_.type == result_.type) return bytes;
    return std::max(bytes, padded_bytes(result_) + padded_bytes(output_));
  }

  bool fits_at_once() const {
    // A device with memory of its own needs the host's for what is read and written.
    const std::int64_t on_host = std::max(padded_bytes(input_), padded_bytes(output_));
    return bytes_at_once() <= bytes_left(device_) && on_host <= bytes_left(Device::open("cpu"));
  }

  SmoothFilePlan plan() {
    if (!fits_at_once()) return {true, plan_smooth_slabs(stream(nullptr, {}), options_, device_)};
    return {false, {.height = io::slab_length(input_.shape), .slabs = 1, .bytes = bytes_at_once()}};
  }

  SmoothFileFigures run_at_once(io::Writer& writer, const Control& control);
  SmoothFileFigures run_in_slabs(io::Writer& writer, const Control& control);

 private:
  SmoothStream stream(io::Writer* writer, const Control& control);
  double share_of_smoothing() const;
  Image as_output(const Image& result, const std::stop_token& stop);
  void write_whole(const Image& out, io::Writer& writer, const Control& control);

  const SmoothFile& file_;
  const SmoothOptions& options_;
  const Device& device_;
  const Description input_;
  const Description result_;  ///< What `smooth` makes.
  const Description output_;  ///< What is written of it.
  SmoothFileFigures figures_;
};

/// Counts what it cannot keep.
Image FileSmoother::as_output(const Image& result, const std::stop_token& stop) {
  const Control control{.stop = stop, .progress = {}};
  const Shape& shape = result.shape();
  figures_.values += shape.x * shape.y * shape.z * result.channels();
  figures_.saturated += count_saturated(result, {.type = output_.type, .window = {}}, control);
  const bool may_propagate = options_.nonfinite == Nonfinite::propagate && !is_integer(input_.type);
  if (may_propagate) figures_.nonfinite += statistics(result, control).nonfinite;
  return result.type() == output_.type
             ? result
             : convert(result, {.type = output_.type, .window = {}}, control);
}

SmoothFileFigures FileSmoother::run_at_once(io::Writer& writer, const Control& control) {
  const auto read = [&](io::Reader& reader, double from, double to) {
    const Image host = reader.read(part_of(control, from, to));
    return device_.upload(host, {.stop = control.stop, .progress = {}});
  };
  Image image = timed(figures_.read, [&] { return read(*file_.image, 0, 0.15); });
  Image mask;
  if (file_.mask != nullptr) {
    mask = timed(figures_.read, [&] { return read(*file_.mask, 0.15, 0.2); });
  }
  Image out;
  const auto compute = [&] {
    const Control stage = part_of(control, 0.2, 0.8);
    out = Image();
    out = smooth(image, options_, {.mask = mask}, stage);
    device_.synchronize();
  };
  device_.synchronize();
  timed(figures_.compute, [&] { file_.timed ? file_.timed(compute) : compute(); });
  if (out.empty()) throw LogicError("the computation was handed to `timed`, which did not run it");
  image = mask = Image();
  timed(figures_.write,
        [&] { write_whole(as_output(out, control.stop), writer, part_of(control, 0.8, 1)); });
  return figures_;
}

/// Part by part, so that a device hands out one while the last is written, and no memory is taken
/// for all of them.
void FileSmoother::write_whole(const Image& out, io::Writer& writer, const Control& control) {
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
    return static_cast<double>(std::min(end, length)) / static_cast<double>(length);
  };
  // In host memory a part is a view.
  const auto how = device_.info().is_gpu ? std::launch::async : std::launch::deferred;
  Image part = part_from(0);
  for (std::int64_t begin = 0; begin < length; begin += each) {
    std::future<Image> coming;
    if (begin + each < length) coming = std::async(how, part_from, begin + each);
    writer.append(part, part_of(control, done(begin), done(begin + each)));
    if (coming.valid()) part = coming.get();
  }
}

SmoothStream FileSmoother::stream(io::Writer* writer, const Control& control) {
  const auto reading_of = [this, stop = control.stop](io::Reader& file) {
    return [this, stop, &file](std::int64_t begin, std::int64_t end) {
      return timed(figures_.read,
                   [&] { return file.slab(begin, end, {.stop = stop, .progress = {}}); });
    };
  };
  SmoothStream stream{.image = input_,
                      .read = reading_of(*file_.image),
                      .read_mask = {},
                      .write = {},
                      .spill_folder = file_.spill_folder};
  if (file_.mask != nullptr) stream.read_mask = reading_of(*file_.mask);
  stream.write = [this, writer, stop = control.stop](const Image& slab) {
    timed(figures_.write, [&] {
      writer->append(as_output(slab, stop).download(), {.stop = stop, .progress = {}});
    });
  };
  // An eighth is left to what formats hold beside the slabs.
  constexpr double share_of_slabs = 0.875;
  stream.memory_bytes = static_cast<std::int64_t>(static_cast<double>(bytes_left(device_)) *
                                                  share_of_slabs * share_of_smoothing());
  return stream;
}

/// A slab in the written type takes the place of what it was made of, which a plan counts as the
/// input and its first pass at least; what it needs beyond that is kept from the plan, and a little
/// more, because recursive filters give their passes back late (measured: 1.12 of 128 MB without).
double FileSmoother::share_of_smoothing() const {
  if (output_.type == result_.type) return 1;
  constexpr double late = 0.9;
  Description first = result_;
  first.channels = input_.channels;
  const std::int64_t freed = padded_bytes(input_) + padded_bytes(first);
  const auto planned = static_cast<double>(freed + padded_bytes(result_));
  const auto beyond = static_cast<double>(std::max<std::int64_t>(0, padded_bytes(output_) - freed));
  return late * planned / (planned + beyond);
}

SmoothFileFigures FileSmoother::run_in_slabs(io::Writer& writer, const Control& control) {
  const auto begin = Clock::now();
  figures_.spill = smooth_stream(stream(&writer, control), options_, device_, control);
  figures_.compute = seconds_since(begin) - figures_.read - figures_.write - figures_.spill;
  return figures_;
}

}  // namespace

Description SmoothFile::output(const SmoothOptions& options) const {
  check(*this);
  return of_type(plan_smooth(image->description(), options, mask_of(*this)).output, written);
}

std::int64_t estimate_bytes(const SmoothFile& file, const SmoothOptions& options,
                            const Device& device) {
  return FileSmoother(file, options, device).bytes_at_once();
}

bool fits_at_once(const SmoothFile& file, const SmoothOptions& options, const Device& device) {
  return FileSmoother(file, options, device).fits_at_once();
}

SmoothFilePlan plan_smooth_file(const SmoothFile& file, const SmoothOptions& options,
                                const Device& device) {
  return FileSmoother(file, options, device).plan();
}

SmoothFileFigures smooth_file(const SmoothFile& file, const SmoothFilePlan& plan,
                              io::Writer& writer, const SmoothOptions& options,
                              const Device& device, const Control& control) {
  FileSmoother smoother(file, options, device);
  return plan.in_slabs ? smoother.run_in_slabs(writer, control)
                       : smoother.run_at_once(writer, control);
}

}  // namespace meander
