// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/reference/engines.hpp"

namespace meander::reference {
namespace {

template <class In, class Out>
void convert_row(const In* in, Out* out, std::int64_t count, const engine::Affine& map) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = from_double<Out>(to_double(in[i]) * map.scale + map.offset);
  }
}

}  // namespace

void convert(const engine::View& in, const engine::View& out, const engine::Affine& map) {
  visit(in.type, [&]<class In>(std::type_identity<In>) {
    visit(out.type, [&]<class Out>(std::type_identity<Out>) {
      for (std::int64_t row = 0; row < in.rows(); ++row) {
        convert_row(reinterpret_cast<const In*>(in.host_row(row)),
                    reinterpret_cast<Out*>(out.host_row(row)), in.shape.x, map);
      }
    });
  });
}

}  // namespace meander::reference
