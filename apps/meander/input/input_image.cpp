// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "input/input_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "input/frames.hpp"

namespace meander::app {
namespace {

SlabPlan slabs_of(const io::Reader& reader) {
  return plan_slabs(reader.description().shape, padded_bytes(slab_step(reader.description())));
}

bool is_grey(Session& session, const std::string& file, bool leaves_out_alpha) {
  io::Reader reader(file, session.read_options());
  const int channels = leaves_out_alpha ? reader.whole_colours() : reader.whole_channels();
  if (channels != 3) return false;
  return every_chosen_slab(session, file, reader, slabs_of(reader),
                           [stop = Control{.stop = session.control().stop}](const Image& slab) {
                             return io::is_grey(slab, stop);
                           });
}

}  // namespace

bool every_chosen_slab(Session& session, const std::string& file, io::Reader& reader,
                       const SlabPlan& plan, const std::function<bool(const Image&)>& goes_on) {
  const FrameRange frames = chosen_frames(session.invocation(), file, reader);
  for (std::int64_t i = 0; i < frames.count; ++i) {
    if (frames.are_slices) {
      reader.select_slice(frames.first + i);
    } else if (reader.film().frames > 1) {
      reader.select_frame(frames.first + i);
    }
    for (std::int64_t begin = 0; begin < plan.length; begin += plan.steps) {
      session.control(0, 0).step(0);
      const std::int64_t end = std::min(begin + plan.steps, plan.length);
      if (!goes_on(session.report().timed("read", [&] { return reader.slab(begin, end); }))) {
        return false;
      }
    }
  }
  return true;
}

void take_grey_as_one_channel(Session& session, bool leaves_out_alpha) {
  InputOptions& given = session.invocation().input;
  if (given.channel || given.grey || session.common().dry_run) return;
  const std::string& in = session.argument(0);
  std::vector<std::filesystem::path> files{in};
  try {
    if (io::is_sequence(in)) files = io::sequence_files(in);
    const bool all = std::ranges::all_of(files, [&](const std::filesystem::path& file) {
      return is_grey(session, file.string(), leaves_out_alpha);
    });
    if (all) given.channel = 0;
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {  // the verb says what is wrong, and in which frame
  }
}

void follow_frame(io::Reader& opened, const std::string& path, const io::Reader& image,
                  const Session& session) {
  if (opened.film().frames == 1) return;
  if (opened.film().frames != image.film().frames) {
    throw InvalidArgument(fmt::format("{}: a film of {} frames, expected {} as beside it, or one",
                                      path, opened.film().frames, image.film().frames));
  }
  if (const auto frame = session.read_options().frame) opened.select_frame(*frame);
}

io::Reader open_like(const io::Reader& image, const std::string& path, io::ReadOptions options) {
  options.unknown_pages = image.film().frames > 1 ? io::Pages::frames : io::Pages::slices;
  if (!options.slice) return io::Reader(path, options);
  io::ReadOptions header{.channels_last = options.channels_last,
                         .pages = options.pages,
                         .unknown_pages = options.unknown_pages};
  if (io::Reader(path, header).description().shape.z == 1) options.slice.reset();
  io::Reader opened(path, options);
  if (options.slice && opened.slices() != image.slices()) {
    throw InvalidArgument(fmt::format("{}: a volume of {} slices, expected {} as beside it, or one",
                                      path, opened.slices(), image.slices()));
  }
  return opened;
}

io::Reader open_beside(const Session& session, const io::Reader& image, const std::string& path,
                       bool channels_last, std::optional<int> channel) {
  io::ReadOptions options = session.read_options();
  options.channels_last = channels_last;
  options.channel = channel;  // not that of the image itself
  options.grey.reset();
  options.frame.reset();
  io::Reader opened = open_like(image, path, options);
  follow_frame(opened, path, image, session);
  if (options.roi && opened.whole_shape() != image.whole_shape()) {
    throw InvalidArgument(fmt::format("{}: an image of {}, expected {} as the image beside it has",
                                      path, to_string(opened.whole_shape()),
                                      to_string(image.whole_shape())));
  }
  return opened;
}

void check_mask(const std::string& path, const Description& mask, const Shape& image) {
  if (mask.shape == image && mask.channels == 1) return;
  throw InvalidArgument(fmt::format("{}: a mask of {} with {}, expected {} with 1{}", path,
                                    to_string(mask.shape), counted(mask.channels, "channel"),
                                    to_string(image), mask.channels == 1 ? "" : advice_beside));
}

io::Reader open_grey_mask(const Session& session, const io::Reader& image,
                          const std::string& path) {
  io::Reader mask = open_beside(session, image, path);
  check_mask(path, as_grey(mask), image.description().shape);
  if (mask.description().channels == 1) return mask;
  const SlabPlan plan = slabs_of(mask);
  for (std::int64_t begin = 0; begin < plan.length && !session.common().dry_run;
       begin += plan.steps) {
    grey_of(mask.slab(begin, std::min(begin + plan.steps, plan.length)), path);
  }
  return open_beside(session, image, path, false, 0);
}

std::string channel_advice(int channels) {
  return fmt::format("; --channel N takes one of them, --grey {} makes one",
                     channels == 3 ? "luminance" : "mean");
}

}  // namespace meander::app
