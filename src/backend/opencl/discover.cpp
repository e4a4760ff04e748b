#include "backend/opencl/backend.hpp"
namespace meander::opencl {
void discover(engine::Registry& registry) { registry.absent.push_back({"opencl", "not written"}); }
}  // namespace meander::opencl
