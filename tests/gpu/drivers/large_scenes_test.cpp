// Sizes that only cards draw in a short time; script/gpu-check sets VITRINE_TEST_HEAVY.

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/pose_model.hpp"
#include "vk_renderer/gpu/physical_device.hpp"
#include "vk_renderer/textures/uploader.hpp"

namespace vitrine::test {
namespace {

class GpuLargeScenes : public Gpu {
protected:
    void SetUp() override
    {
        if (!runs_heavy_tests()) GTEST_SKIP() << "script/gpu-check runs it (VITRINE_TEST_HEAVY)";
    }
};

// More than 65,535 groups of 64 vertices of one kind, the least that every device dispatches at once.
TEST_F(GpuLargeScenes, FiveMillionVerticesAreSkinnedAndDrawn)
{
    constexpr std::uint32_t rings = 5000, sides = 1000;
    const auto scene = std::make_shared<const scene::Scene>(tube(rings, sides, 8, 4));
    ASSERT_EQ(scene->meshes[0].positions.size(), std::size_t{rings} * sides);
    const render::ClipTime clip_time{0, 0.7};
    scene::Pose pose;
    scene::sample_pose(*scene, clip_time.clip, clip_time.time, pose);
    const auto expected = skinned_in(*scene, pose);
    const auto skinned = renderer().skin(scene, clip_time);
    ASSERT_EQ(skinned.size(), 1u);
    const auto &actual = skinned[0].positions, &reference = expected[0].positions;
    ASSERT_EQ(actual.size(), reference.size());
    std::size_t wrong = 0;
    for (std::size_t v = 0; v < actual.size(); ++v)
        wrong += glm::distance(actual[v], reference[v]) > 2e-5f ? 1 : 0;
    EXPECT_EQ(wrong, 0u);
    // It looks as a tube of few vertices does.
    const auto few = share(tube(400, 64, 8, 4));
    const render::View view = reference_view(256);
    const auto dense = picture(scene, view, clip_time), sparse = picture(few, view, clip_time);
    keep(dense, "five_million");
    EXPECT_LT(different_pixels(dense, sparse), 256 * 256 / 50);
    EXPECT_GT(different_pixels(dense, picture(few, view, {0, 1.5})), 256 * 256 / 50);
}

TEST_F(GpuLargeScenes, AnArrayOf300MegabytesArrivesWhole)
{
    constexpr std::size_t words = 300'000'000 / 4, piece = 8u << 20;
    const render::Options options = tested();
    render::VulkanInstance instance(false);
    render::Device device(instance, choose_device(instance, options.device), options);
    render::Timeline timeline(device, std::chrono::minutes(2));
    render::Uploader uploader(device, timeline);
    std::vector<std::uint32_t> array(words);
    for (std::size_t i = 0; i < words; ++i)
        array[i] = static_cast<std::uint32_t>(i) * 2654435761u;
    const auto uploaded =
        uploader.buffer(std::as_bytes(std::span(array)),
                        {render::MemoryDomain::device, VK_BUFFER_USAGE_TRANSFER_SRC_BIT}, "a large array");
    uploader.finish();
    const render::Buffer back(device, piece * 4,
                              {render::MemoryDomain::readback, VK_BUFFER_USAGE_TRANSFER_DST_BIT}, "readback");
    render::Commands commands(device);
    for (std::size_t first = 0; first < words; first += piece) {
        const auto count = std::min(piece, words - first);
        auto* const copying = commands.begin();
        const VkBufferCopy region{first * 4, 0, count * 4};
        device.vk.vkCmdCopyBuffer(copying, uploaded.get(), back.get(), 1, &region);
        memory_barrier(device, copying, render::transfer, render::host_read);
        timeline.wait(timeline.submit(commands.end()));
        ASSERT_EQ(std::memcmp(back.mapped(), array.data() + first, count * 4), 0) << "from word " << first;
    }
}

} // namespace
} // namespace vitrine::test
