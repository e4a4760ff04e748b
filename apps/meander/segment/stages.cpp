// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "segment/stages.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "meander/picture.hpp"

namespace meander::app {
namespace {

constexpr const char* smoothed_name = "1_smoothed.png";
constexpr const char* edges_name = "2_edges.png";
constexpr const char* flow_name = "3_flow.png";
constexpr const char* outline_name = "4_outline.png";
constexpr const char* figure_name = "figure.png";
/// The sheet and its tiles, whose sizes do not grow with the image.
constexpr std::int64_t sheet_bytes = std::int64_t{8} << 20;

/// Whether it had to be made; its parent must be there.
bool make_folder(const std::string& folder) {
  std::error_code fault;
  const bool is_new = std::filesystem::create_directory(folder, fault);
  if (fault) {
    throw FileSystemError(
        fmt::format("{}: the folder cannot be made: {}", folder, fault.message()));
  }
  return is_new;
}

/// A folder that is made for a trial.
class TrialFolder {
 public:
  explicit TrialFolder(const std::string& folder) : folder_(folder), is_new_(make_folder(folder)) {}
  ~TrialFolder() {
    std::error_code ignored;  // what cannot be taken away stays, empty
    if (is_new_) std::filesystem::remove(folder_, ignored);
  }
  TrialFolder(const TrialFolder&) = delete;
  TrialFolder& operator=(const TrialFolder&) = delete;

 private:
  const std::string& folder_;
  const bool is_new_;
};

}  // namespace

Description with(Description image, int channels, PixelType type) {
  image.channels = channels;
  image.type = type;
  return image;
}

StageFolder::StageFolder(std::string folder, bool has_edges)
    : folder_(std::move(folder)), has_edges_(has_edges) {
  const TrialFolder trial(folder_);
  for (const std::string& file : files()) {
    const io::Writer target(file, {.channels = 3, .type = PixelType::u8});
  }
}

std::string StageFolder::path_of(const char* name) const {
  return (std::filesystem::path(folder_) / name).string();
}

std::vector<std::string> StageFolder::files() const {
  std::vector<std::string> paths;
  if (has_edges_) paths = {path_of(smoothed_name), path_of(edges_name)};
  for (const char* name : {flow_name, outline_name, figure_name}) paths.push_back(path_of(name));
  return paths;
}

void StageFolder::write(const Image& image, const FindResult& found, const Control& control) const {
  const EdgeStages& stages = found.edge->stages;
  const EdgePictures pictures =
      edge_pictures(image.download(),
                    {.smoothed = stages.smoothed.empty() ? Image() : stages.smoothed.download(),
                     .edges = stages.edges.empty() ? Image() : stages.edges.download(),
                     .field = Field(stages.field.components().download())},
                    found.starts, curves_of(found), control);
  make_folder(folder_);
  if (has_edges_) {
    io::write(path_of(smoothed_name), pictures.smoothed);
    io::write(path_of(edges_name), pictures.edges);
  }
  io::write(path_of(flow_name), pictures.flow);
  io::write(path_of(outline_name), pictures.outline);
  io::write(path_of(figure_name), pictures.figure);
}

std::int64_t bytes_of_stages(const Description& image) {
  const std::int64_t stages = padded_bytes(with(image, 1, PixelType::f32)) +
                              padded_bytes(with(image, 1, PixelType::u16)) +
                              padded_bytes(with(image, 2, PixelType::f32));
  // Of the size of the image at a time: vectors or grey levels, and one picture.
  const std::int64_t drawing = padded_bytes(with(image, 2, PixelType::f32)) +
                               2 * padded_bytes(with(image, 3, PixelType::u8));
  return padded_bytes(image) + 2 * stages + drawing +
         4 * OutlineCanvas::bytes_to_make(image.shape) + sheet_bytes;
}

}  // namespace meander::app
