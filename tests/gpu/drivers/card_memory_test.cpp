// Memory of a card without resizable BAR: the host sees a small window of it, and the rest through copies.

#include <algorithm>
#include <array>
#include <memory>

#include <gtest/gtest.h>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/vulkan/faulty_vulkan.hpp"
#include "vk_renderer/gpu/physical_device.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::test {
namespace {

constexpr std::uint64_t mib = 1u << 20;

class CardMemory : public testing::Test {
protected:
    void SetUp() override
    {
        if (tested_device() != "software") GTEST_SKIP() << "the card is faked on the software driver";
        faults.is_card = true;
    }

    void TearDown() override
    {
        faults.is_card = faults.is_incoherent = false;
        faults.window_bytes = window_bytes;
    }

    static render::Options options() { return tested({.device_profile = render::DeviceProfile::gpu}); }

    VulkanFaults& faults = vulkan_faults();
    const std::uint64_t window_bytes = faults.window_bytes;
};

TEST_F(CardMemory, ShowsTheSamePictures)
{
    const auto draw = [](const scene::Scene& scene, render::ClipTime clip_time) {
        render::Renderer renderer(options());
        return renderer
            .render(std::make_shared<const scene::Scene>(scene), {.width = 64, .height = 64}, {&clip_time, 1})
            .at(0)
            .pixels;
    };
    const auto bar = skinned_bar(), quad = painted_quad(300, 90);
    faults.system_peak = 0;
    const auto bent_on_card = draw(bar, {0, 0.5}), painted_on_card = draw(quad, {});
    EXPECT_GT(faults.system_peak, 0u);
    faults.is_card = false;
    EXPECT_EQ(bent_on_card, draw(bar, {0, 0.5}));
    EXPECT_EQ(painted_on_card, draw(quad, {}));
}

// As on Intel's cards: what the host reads is cached, and has to be invalidated.
TEST_F(CardMemory, ReadsCachedMemoryThatIsNotCoherent)
{
    const auto bar = std::make_shared<const scene::Scene>(skinned_bar());
    const std::array<render::ClipTime, 2> times{{{0, 0.5}, {0, 0.25}}};
    const auto draw = [&] {
        render::Renderer renderer(options());
        const auto boxes = renderer.bounds(bar, times);
        return std::pair(renderer.render(bar, {.width = 64, .height = 64}, times), boxes);
    };
    const auto [frames, boxes] = draw();
    faults.is_incoherent = true;
    faults.invalidations = 0;
    const auto [read_frames, read_boxes] = draw();
    EXPECT_GT(faults.invalidations, 0);
    EXPECT_TRUE(std::ranges::equal(read_frames, frames, {}, &render::Frame::pixels, &render::Frame::pixels));
    ASSERT_EQ(read_boxes.size(), boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        EXPECT_EQ(read_boxes[i].min, boxes[i].min);
        EXPECT_EQ(read_boxes[i].max, boxes[i].max);
    }
}

// The host writes what a batch needs, as long as there is room through the window.
TEST_F(CardMemory, ContinuesInSystemMemoryWhereTheWindowIsFull)
{
    faults.window_bytes = 4 * mib;
    render::VulkanInstance instance(false);
    const render::Device device(instance, render::choose_device(instance, tested_device()), options());
    const render::BufferDesc desc{render::MemoryDomain::upload, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    const auto in_system = faults.system_used.load();
    std::vector<render::Buffer> buffers;
    for (int i = 0; i < 8; ++i) {
        buffers.emplace_back(device, mib, desc, "one of eight");
        EXPECT_NE(buffers.back().mapped(), nullptr);
    }
    EXPECT_GE(faults.window_used, mib);
    EXPECT_LE(faults.window_used, 4 * mib);
    EXPECT_GE(faults.system_used, in_system + 4 * mib);
    const render::BufferDesc own{render::MemoryDomain::device, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    EXPECT_EQ(render::Buffer(device, mib, own, "of the device").mapped(), nullptr);
}

TEST_F(CardMemory, UploadsLargeArraysInPieces)
{
    render::VulkanInstance instance(false);
    render::Device device(instance, render::choose_device(instance, tested_device()), options());
    render::Timeline timeline(device, std::chrono::minutes(10));
    render::Uploader uploader(device, timeline);
    std::vector<std::byte> array(100 * mib + 12);
    for (std::size_t i = 0; i < array.size(); ++i)
        array[i] = static_cast<std::byte>(i * 2654435761u >> 24);
    faults.system_peak = 0;
    const auto uploaded = uploader.buffer(
        array, {render::MemoryDomain::device, VK_BUFFER_USAGE_TRANSFER_SRC_BIT}, "a large array");
    uploader.finish();
    EXPECT_LE(faults.system_peak, 70 * mib);
    EXPECT_LE(faults.window_used, mib);
    const render::Buffer back(device, array.size(),
                              {render::MemoryDomain::readback, VK_BUFFER_USAGE_TRANSFER_DST_BIT}, "readback");
    render::Commands commands(device);
    auto* const copying = commands.begin();
    const VkBufferCopy region{0, 0, array.size()};
    device.vk.vkCmdCopyBuffer(copying, uploaded.get(), back.get(), 1, &region);
    timeline.wait(timeline.submit(commands.end()));
    EXPECT_TRUE(std::ranges::equal(std::span(back.mapped(), array.size()), array));
}

} // namespace
} // namespace vitrine::test
