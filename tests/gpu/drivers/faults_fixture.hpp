#pragma once
// Renderers with a failing Vulkan implementation: nothing may leak, and the next request succeeds.

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/vulkan/faulty_vulkan.hpp"

namespace vitrine::test {

inline const render::ClipTime bent{0, 0.5};

class GpuFaults : public testing::Test {
protected:
    void SetUp() override { heal(); }
    void TearDown() override
    {
        heal();
        EXPECT_EQ(faults.objects, objects_) << "an object was created and never destroyed";
        EXPECT_EQ(faults.allocations, allocations_);
        EXPECT_EQ(faults.devices, devices_);
    }

    void heal()
    {
        faults.fail_creation = faults.lose_submit = faults.hang_submit = 0;
        faults.fail_all = false;
        faults.lose_draw = faults.hang_draw = 0;
        faults.faulty_draws = INT32_MAX;
        faults.memory_bytes = UINT64_MAX;
        faults.no_subgroups = faults.no_wires = faults.pipeline_robustness = false;
        faults.storage_range = UINT32_MAX;
        faults.workgroups = UINT32_MAX;
        faults.cards = 0;
    }

    // A hung device and its objects are not destroyed.
    void forgive_the_abandoned()
    {
        objects_ = faults.objects;
        allocations_ = faults.allocations;
        devices_ = faults.devices;
    }

    static std::unique_ptr<render::Renderer> make(bool validation = false)
    {
        return std::make_unique<render::Renderer>(
            tested({.validation = validation, .submit_timeout = std::chrono::minutes(10)}));
    }

    // Every vertex kind, blended and textured surfaces, in a few images of one size.
    static std::vector<render::Frame> draw(render::Renderer& renderer, std::uint32_t side = 48)
    {
        const auto mixed = std::make_shared<const scene::Scene>(mixture());
        const auto cube = std::make_shared<const scene::Scene>(textured_cube());
        const render::View view{.width = side, .height = side};
        const std::vector<render::FrameRequest> frame_requests{
            {mixed, view, bent}, {cube, view, {}}, {mixed, view, {}}};
        std::vector<render::Frame> frames;
        renderer.render(frame_requests, frames);
        return frames;
    }

    static bool equal(const std::vector<render::Frame>& a, const std::vector<render::Frame>& b)
    {
        return std::ranges::equal(a, b, {}, &render::Frame::pixels, &render::Frame::pixels);
    }

    VulkanFaults& faults = vulkan_faults();

private:
    int objects_ = faults.objects, allocations_ = faults.allocations, devices_ = faults.devices;
};

} // namespace vitrine::test
