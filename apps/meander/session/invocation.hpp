// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "meander/film.hpp"
#include "meander/io.hpp"
#include "meander/sweep.hpp"
#include "options/colour.hpp"
#include "options/page.hpp"
#include "options/roi.hpp"
#include "options/spacing.hpp"

namespace meander::app {

/// Options that every verb has.
struct CommonOptions {
  std::int64_t threads = 0;
  std::optional<ByteCount> memory;
  bool json = false;
  bool dry_run = false;
  bool quiet = false;
  bool verbose = false;
  std::vector<SweepAxis> sweep;

  template <class Visitor>
  void describe(Visitor& v) {
    v(threads, {.name = "threads",
                .min = 0,
                .max = 1024,
                .help = "threads of the processor; 0 means one per core"});
    v(memory,
      {.name = "memory",
       .unit = "bytes",
       .help = "budget for pixels, kept by working in slabs or refusing [physical memory]"});
    v(json, {.name = "json", .help = "print one report object on stdout"});
    v(dry_run, {.name = "dry-run", .help = "say what would be done, and do nothing"});
    v(quiet, {.name = "quiet", .help = "no progress bar, no results in words"});
    v(verbose, {.name = "verbose", .help = "say on stderr what is being done"});
    v(sweep,
      {.name = "sweep",
       .help = "run once for each value of an option that takes a number (twice: for each pair): "
               "OUT becomes a sheet of all results, with their reports beside it as .json"});
  }
};

/// Of verbs that compute on a device.
struct DeviceOptions {
  std::string device = "auto";

  template <class Visitor>
  void describe(Visitor& v) {
    v(device,
      {.name = "device",
       .help = "where to compute: auto (what ends first, see `meander devices`), cpu, cuda:N, "
               "opencl:N or reference"});
  }
};

/// Of verbs that read images.
struct InputOptions {
  bool channels = false;
  std::optional<io::Roi> roi;
  std::optional<std::int64_t> channel;
  std::optional<io::Grey> grey;
  std::optional<Spacing> spacing;
  std::optional<io::Pages> pages;
  std::optional<io::FrameChoice> frame;
  std::optional<io::FrameChoice> slice;
  std::optional<io::Slice::Across> axis;

  template <class Visitor>
  void describe(Visitor& v) {
    v(channels, {.name = "channels", .help = "the last axis of an .npy input holds channels"});
    v(roi, {.name = "roi",
            .unit = "pixels",
            .help = "work on this part of the image only, x1 and y1 not included, as if its files "
                    "had been cropped; masks and fields given beside it are cropped too"});
    v(channel, {.name = "channel",
                .min = 0,
                .max = 65535,
                .help = "work on this channel of the image only, from 0 on"});
    v(grey, {.name = "grey",
             .help = "make one channel of colours, without opacity (luminance: 0.2126 red + 0.7152 "
                     "green + 0.0722 blue); an image of one channel stays as it is"});
    v(spacing, {.name = "spacing",
                .help = "size of a pixel, whatever the file says; y and z as x unless they are "
                        "given"});
    v(pages, {.name = "pages",
              .help = "what the pages of a stack are that does not say so itself, as a TIFF "
                      "without notes; without it they are frames for segment, react and --frame "
                      "and slices for --slice"});
    v(frame, {.name = "frame",
              .help = "work on this frame of a film, from 0 on, or once on each of several: OUT is "
                      "then a film too, or numbered files as out%03d.tif; other outputs are "
                      "numbered files"});
    v(slice, {.name = "slice",
              .help = "work on this slice of a volume as an image of 2 axes, from 0 on, or once on "
                      "each of several: OUT is then a stack of them, or numbered files; other "
                      "outputs are numbered files"});
    v(axis, {.name = "axis",
             .help = "the axis that slices lie across; across y they have columns along x and rows "
                     "along z, across x columns along y and rows along z [z]"});
  }
};

/// Of verbs that write images.
struct OutputOptions {
  bool compress = false;

  template <class Visitor>
  void describe(Visitor& v) {
    v(compress, {.name = "compress",
                 .help = "write NRRD and MetaImage compressed, without loss, and other outputs as "
                         "ever; .nii.gz always is"});
  }
};

/// Of verbs whose OUT is an image like IN.
struct InPlaceOptions {
  bool in_place = false;

  template <class Visitor>
  void describe(Visitor& v) {
    v(in_place,
      {.name = "in-place",
       .help = "OUT may be IN itself, by whatever name: it is replaced when all is done"});
  }
};

/// Of verbs that may be given many files.
struct BatchOptions {
  std::string suffix;
  std::int64_t jobs = 1;
  bool resume = false;
  std::string table;

  template <class Visitor>
  void describe(Visitor& v) {
    v(suffix, {.name = "suffix",
               .help = "what the names of outputs end in instead of the inputs' suffix, which "
                       "chooses their format: .geojson, or _soft.tif"});
    v(jobs, {.name = "jobs",
             .min = 1,
             .max = 1024,
             .help = "so many files at once, which share --threads and --memory; no more than "
                     "there are threads"});
    v(resume, {.name = "resume",
               .help = "leave out files whose outputs are there and newer than they are, whatever "
                       "options those were made with"});
    v(table, {.name = "table",
              .help = "a .csv with the figures that --json reports, a line for each file or frame, "
                      "instead of results in words"});
  }
};

/// How far a run has come that --device auto sends to a GPU.
struct AutoRun {
  bool on_gpu = false;     ///< By auto's choice, so that `cpu` may take over.
  bool is_warned = false;  ///< Of figures that are ignored: all frames of a film would say so.
  std::string fault;       ///< Why `cpu` has taken over.
  std::vector<std::pair<std::FILE*, std::string>> waiting;  ///< What is to be printed at the end.
};

/// What belongs to one call of the program: options that verbs share, and what `auto` has chosen.
struct Invocation {
  DeviceOptions device;
  InputOptions input;
  OutputOptions output;
  InPlaceOptions in_place;
  BatchOptions batch;
  AutoRun auto_run;
  std::optional<io::Reader> header;  ///< The input, for what is checked before the verb runs.
};

}  // namespace meander::app
