// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <dlfcn.h>

#include <atomic>
#include <thread>

#include "backend/opencl/engines.hpp"
#include "backend/opencl/opencl_test.hpp"

namespace meander::opencl {
namespace {

/// Runs `f` and returns what the Kind it throws says.
template <class Kind, class F>
std::string complaint_of(F f) {
  try {
    f();
  } catch (const Kind& error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// Holds a queue back until it is opened, or makes what waits for it fail: OpenCL's user event.
class Gate {
 public:
  explicit Gate(Session& session) : library_(dlopen("libOpenCL.so.1", RTLD_NOW)) {
    cl_int code = CL_SUCCESS;
    event_ = function<decltype(&::clCreateUserEvent)>("clCreateUserEvent")(
        session.context->handle(), &code);
    EXPECT_EQ(code, CL_SUCCESS);
  }
  ~Gate() { api().clReleaseEvent(event_); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// A command that waits for the gate.
  void enqueue(Session& session, const char* operation) {
    const auto marker =
        function<decltype(&::clEnqueueMarkerWithWaitList)>("clEnqueueMarkerWithWaitList");
    session.queue.run(operation, [&](cl_command_queue queue, cl_event* event) {
      return marker(queue, 1, &event_, event);
    });
  }
  /// CL_COMPLETE opens it; a negative code is the failure of what waits.
  void set(cl_int status) {
    EXPECT_EQ(function<decltype(&::clSetUserEventStatus)>("clSetUserEventStatus")(event_, status),
              CL_SUCCESS);
  }

 private:
  template <class Function>
  Function function(const char* name) const {
    return reinterpret_cast<Function>(dlsym(library_, name));
  }
  void* library_;
  cl_event event_ = nullptr;
};

class InFlight : public OpenClTest {
 protected:
  void SetUp() override {
    OpenClTest::SetUp();
    if (device) session = std::make_unique<Session>(facts);
  }
  engine::MemoryPtr new_buffer(std::size_t bytes) {
    cl_int code = CL_SUCCESS;
    const cl_mem buffer =
        api().clCreateBuffer(session->context->handle(), CL_MEM_READ_WRITE, bytes, nullptr, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    return {new engine::Memory{nullptr, buffer, bytes}, [](engine::Memory* block) {
              api().clReleaseMemObject(static_cast<cl_mem>(block->handle));
              delete block;
            }};
  }
  Kernel probe(const char* text, const char* entry) {
    return session->programs.kernel("probing", text, {}, entry, [] { return std::string(); });
  }
  std::unique_ptr<Session> session;
};

/// While the device stands still the caller gets only so far ahead of it.
TEST_F(InFlight, OperationsThatWaitAreBounded) {
  Gate gate(*session);
  gate.enqueue(*session, "gate");
  std::atomic<int> enqueued = 0;
  const std::jthread caller([&] {
    for (; enqueued < 600; ++enqueued) gate.enqueue(*session, "marker");
  });
  int before = -1;
  while (before != enqueued) {  // until it stands still too
    before = enqueued;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_LT(before, 600);
  EXPECT_GT(before, 0);
  gate.set(CL_COMPLETE);
}

TEST_F(InFlight, ALateFailureNamesItsOperationAndTheDeviceGoesOn) {
  Gate gate(*session);
  const engine::MemoryPtr block = new_buffer(64);
  gate.enqueue(*session, "thinning");
  gate.set(CL_OUT_OF_RESOURCES);
  const std::string text = complaint_of<DeviceError>([&] { session->queue.finish(); });
  EXPECT_EQ(text.rfind("opencl:0: thinning failed: CL_", 0), 0u) << text;
  session->queue.finish();
  engine::View pixels = placed(PixelType::u8, {64, 1, 1}, 1, {});
  pixels.memory = block;
  const engine::View zeros = on_host(pixels), back = on_host(pixels);
  std::memset(zeros.memory->host, 0, 64);
  Copies copies(*session);
  copies.upload(zeros, pixels);
  copies.download(pixels, back);
  EXPECT_EQ(first_difference(bytes_of(back), bytes_of(zeros)), "equal");
}

TEST_F(InFlight, AFailedCommandIsNamedAtOnce) {
  const Kernel kernel = probe("kernel void k(global int* p) { *p = 1; }", "k");
  const std::string text = complaint_of<DeviceError>([&] {
    launch(*session, "probing", kernel, {1, 1});
  });
  EXPECT_EQ(text, "opencl:0: probing failed: CL_INVALID_KERNEL_ARGS");
}

TEST_F(InFlight, AKernelThatDoesNotCompileIsExplainedInOneLine) {
  const std::string text =
      complaint_of<DeviceError>([&] { probe("kernel void k( { nonsense", "k"); });
  EXPECT_EQ(text.rfind("opencl:0: probing failed: CL_BUILD_PROGRAM_FAILURE: ", 0), 0u) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_GT(text.size(), 60u) << text;
}

TEST_F(InFlight, AKernelThatIsNotThereIsNamed) {
  const std::string text = complaint_of<DeviceError>([&] { probe("kernel void k() {}", "other"); });
  EXPECT_EQ(text, "opencl:0: probing failed: CL_INVALID_KERNEL_NAME");
}

/// A chain whose every link is dropped as soon as the next has been enqueued.
TEST_F(InFlight, LongChainsReuseBlocksAndStayRight) {
  const engine::View layout = placed(PixelType::f32, {301, 17, 1}, 1, {});
  engine::View host = on_host(layout);
  for (std::int64_t row = 0; row < host.rows(); ++row) {
    for (int x = 0; x < 301; ++x) {
      reinterpret_cast<float*>(host.host_row(row))[x] = static_cast<float>(x - row);
    }
  }
  engine::View current = uploaded(*device, host);
  constexpr int links = 1000;
  for (int i = 0; i < links; ++i) {
    engine::View next = layout;
    next.memory = device->pool().take(block_bytes(layout));
    device->convert(current, next, {.scale = 1, .offset = 1});
    current = next;
  }
  const engine::View back = on_host(layout);
  device->read(current, back);
  for (std::int64_t row = 0; row < back.rows(); ++row) {
    for (int x = 0; x < 301; ++x) {
      ASSERT_EQ(reinterpret_cast<const float*>(back.host_row(row))[x],
                static_cast<float>(x - row + links));
    }
  }
  EXPECT_EQ(device->pool().use().in_use, current.memory->bytes);
}

}  // namespace
}  // namespace meander::opencl
