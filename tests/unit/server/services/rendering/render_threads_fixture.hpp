#pragma once
// A render pool over fake devices, whose first task can keep the render thread busy.

#include <future>
#include <memory>
#include <mutex>
#include <vector>

#include <gtest/gtest.h>

#include "server/services/rendering/render_pool.hpp"
#include "tests/unit/server/services/support/fakes.hpp"

namespace vitrine::server::testing {

class RenderThreads : public ::testing::Test {
protected:
    // Keeps the render thread busy until the lock is released.
    std::unique_lock<std::mutex> pin(RenderPool& thread)
    {
        std::unique_lock lock(gpu.gate);
        EXPECT_TRUE(thread.submit(RenderPriority::interactive, [this](RenderDevice& device) {
            started.set_value();
            device.render(nullptr, {}, {});
            return 0;
        }));
        started.get_future().wait();
        return lock;
    }

    std::vector<MakeRenderDevice> one() { return {make_fake_device(gpu)}; }

    FakeGpu gpu;
    prometheus::Registry registry;
    Metrics metrics{registry};
    std::promise<void> started;
};

} // namespace vitrine::server::testing
