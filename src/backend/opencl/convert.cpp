// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/convert_text.hpp"
#include "backend/opencl/copy_text.hpp"
#include "backend/opencl/engines.hpp"
#include "core/message.hpp"

namespace meander::opencl {
namespace {

constexpr const char* operation = "convert";

void copy(Session& session, const engine::View& in, const engine::View& out) {
  constexpr const char* bits_of_size[] = {"", "uchar", "ushort", "", "uint", "", "", "", "ulong"};
  const Kernel kernel = session.programs.kernel(
      operation, copy_text, {static_cast<int>(size_of(in.type))}, "copy_pixels", [&] {
        return message(common_options(session), " -D BITS=", bits_of_size[size_of(in.type)]);
      });
  launch(session, operation, kernel, items_for(in), buffer_of(in.memory), Layout(in),
         buffer_of(out.memory), Layout(out), cl_long{in.shape.x}, cl_long{in.rows()});
}

/// `Real` is the type of the arithmetic, and of the map as the kernel takes it.
template <class Real>
void map_pixels(Session& session, const engine::View& in, const engine::View& out,
                const engine::Affine& map, const char* real) {
  const Kernel kernel = session.programs.kernel(
      operation, convert_text, {static_cast<int>(in.type), static_cast<int>(out.type)},
      "convert_pixels", [&] {
        return message(common_options(session), " -D IN=", name_of(in.type),
                       " -D OUT=", name_of(out.type), " -D REAL=", real);
      });
  launch(session, operation, kernel, items_for(in), buffer_of(in.memory), Layout(in),
         buffer_of(out.memory), Layout(out), cl_long{in.shape.x}, cl_long{in.rows()},
         cl_int{map.is_identity()}, static_cast<Real>(map.scale), static_cast<Real>(map.offset));
}

}  // namespace

void convert(Session& session, const engine::View& in, const engine::View& out,
             const engine::Affine& map) {
  if (in.type == out.type && map.is_identity()) return copy(session, in, out);
  require_type(session, in.type);
  require_type(session, out.type);
  if (in.type == PixelType::f64 || out.type == PixelType::f64) {
    map_pixels<cl_double>(session, in, out, map, "double");
  } else {
    map_pixels<cl_float>(session, in, out, map, "float");
  }
}

}  // namespace meander::opencl
