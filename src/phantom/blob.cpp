// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/blob.hpp"

#include <algorithm>

#include "phantom/noise/elementary.hpp"

namespace meander::phantoms {

double reach_of(std::int64_t pitch, double gap) {
  return std::min(usual_reach, 0.5 - 0.5 * gap / static_cast<double>(pitch));
}

Blob::Blob(UniformSequence& uniforms, double reach) {
  radius = (0.24 + 0.12 * uniforms.next()) * (reach / usual_reach);
  for (int h = 0; h < 2; ++h) {
    wobble[h] = (h == 0 ? 0.12 : 0.06) * uniforms.next();
    phase[h] = uniforms.next();
  }
  const double room = reach - radius * (1 + wobble[0] + wobble[1]);
  for (double& s : shift) s = room * (2 * uniforms.next() - 1);
}

double Blob::radius_at(double turns) const {
  double relative = 1;
  for (int h = 0; h < 2; ++h) {
    relative += wobble[h] * sine_cosine_of_turns((h + 2) * turns + phase[h]).cosine;
  }
  return radius * relative;
}

Polygon Blob::outline(double x, double y, double pitch, double scale) const {
  Polygon polygon;
  for (int i = 0; i < vertices_of_blob; ++i) {
    const double turns = static_cast<double>(i) / vertices_of_blob;
    const auto [sine, cosine] = sine_cosine_of_turns(turns);
    const double r = scale * radius_at(turns);
    polygon.vertices.push_back(
        on_grid(x + pitch * (shift[0] + r * cosine), y + pitch * (shift[1] + r * sine)));
  }
  return polygon;
}

Polygon Blob::hole(double x, double y, double pitch, double scale) const {
  Polygon polygon;
  for (int i = vertices_of_blob; i > 0; --i) {
    const auto [sine, cosine] = sine_cosine_of_turns(static_cast<double>(i) / vertices_of_blob);
    const double r = scale * radius / 2;
    polygon.vertices.push_back(
        on_grid(x + pitch * (shift[0] + r * cosine), y + pitch * (shift[1] + r * sine)));
  }
  return polygon;
}

}  // namespace meander::phantoms
