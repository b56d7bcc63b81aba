#pragma once
// Devices in processes of their own, and the comparison of their frames with those of a device in this
// process.

#include <chrono>
#include <cstdlib>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "server/render_process/process_device.hpp"
#include "tests/gpu/device.hpp"
#include "tests/support/paths.hpp"

namespace vitrine::test {

class GpuProcess : public Gpu {
protected:
    static std::unique_ptr<render_process::ProcessDevice> make(render_process::ProcessOptions options = {})
    {
        options.program = program("vitrine");
        if (options.call_timeout == render_process::ProcessOptions{}.call_timeout)
            options.call_timeout = std::chrono::minutes(5); // with the machine's other jobs
        return std::make_unique<render_process::ProcessDevice>(tested({.validation = true}), options);
    }
    // A device rounds some values differently in its first batch than later, also in one process.
    static bool are_equal(const render::Pixels& a, const render::Pixels& b)
    {
        constexpr int max_difference = 1;
        const std::size_t max_different = 20 + a.size() / 50'000;
        std::size_t different = 0;
        for (std::size_t i = 0; i < a.size() && a.size() == b.size(); ++i) {
            if (std::abs(a[i] - b[i]) > max_difference) return false;
            different += a[i] != b[i] ? 1 : 0;
        }
        return !a.empty() && a.size() == b.size() && different <= max_different;
    }
    static void expect_equal(const render::Frame& a, const render::Frame& b, const std::string& what)
    {
        EXPECT_EQ(a.width, b.width) << what;
        EXPECT_EQ(a.height, b.height) << what;
        EXPECT_TRUE(are_equal(a.pixels, b.pixels)) << what;
        EXPECT_EQ(a.bounds.min, b.bounds.min) << what;
        EXPECT_EQ(a.bounds.max, b.bounds.max) << what;
        EXPECT_EQ(a.framing, b.framing) << what;
    }
    static void expect_equal(const std::vector<render::Frame>& a, const std::vector<render::Frame>& b,
                             const std::string& what)
    {
        ASSERT_EQ(a.size(), b.size()) << what;
        for (std::size_t i = 0; i < a.size(); ++i)
            expect_equal(a[i], b[i], fmt::format("{} {}", what, i));
    }
    static std::vector<render::Frame> here(std::span<const render::FrameRequest> requests)
    {
        std::vector<render::Frame> frames;
        renderer().render(requests, frames);
        return frames;
    }
    static std::vector<render::Frame> there(render_process::ProcessDevice& device,
                                            std::span<const render::FrameRequest> requests)
    {
        std::vector<render::Frame> frames;
        device.render(requests, frames);
        return frames;
    }
    // With all kinds of overlays.
    static std::vector<render::FrameRequest> requests(std::uint32_t number)
    {
        auto all = Gpu::requests(number);
        for (auto& view : all | std::views::transform(&render::FrameRequest::view)) {
            view.overlays.skeleton = number % 3 == 1;
            view.overlays.wireframe = number % 3 == 2;
            if (number % 4 == 3) view.overlays.debug_view = render::DebugView::weights;
            if (number % 5 == 4) view.light = render::LightingPreset::reference;
        }
        return all;
    }
};

} // namespace vitrine::test
