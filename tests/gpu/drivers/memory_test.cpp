// Device memory and its budget: which scenes are evicted, which requests fail, and that the others still
// succeed.

#include <algorithm>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "tests/gpu/device.hpp"
#include "tests/gpu/equality.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/vulkan/faulty_vulkan.hpp"
#include "vk_renderer/gpu/physical_device.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::test {
namespace {

using render::Renderer;
using render::SharedScene;

constexpr std::uint64_t mebibyte = 1u << 20;

SharedScene shared(scene::Scene scene)
{
    return std::make_shared<const scene::Scene>(std::move(scene));
}

Rgba middle(Renderer& renderer, const SharedScene& scene)
{
    const render::ClipTime clip_time;
    return pixel(renderer.render(scene, {.width = 16, .height = 16}, {&clip_time, 1}).at(0), 8, 8);
}

// Empty if it is rendered.
std::string error_text(Renderer& renderer, const SharedScene& scene)
{
    try {
        middle(renderer, scene);
        return {};
    } catch (const render::TooLargeForDevice& rejected) {
        return rejected.what();
    }
}

class GpuMemory : public testing::Test {
protected:
    void TearDown() override
    {
        faults.memory_bytes = UINT64_MAX;
        faults.heap_budget = 0;
    }

    VulkanFaults& faults = vulkan_faults();
};

TEST_F(GpuMemory, SharesBlocksBetweenSmallScenes)
{
    Renderer renderer(tested());
    std::vector<SharedScene> library;
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(middle(renderer, library.emplace_back(shared(painted_quad(4, 200)))).r, 200);
    EXPECT_LT(faults.allocations, 12);
    EXPECT_EQ(renderer.memory().used, faults.used_bytes) << "all allocations are counted";
}

TEST_F(GpuMemory, EvictsTheLeastRecentlyUsedWithinABudget)
{
    constexpr std::uint64_t budget = 160 * mebibyte;
    Renderer renderer(tested({.memory_bytes = budget}));
    EXPECT_EQ(renderer.memory().budget, budget);
    std::vector<SharedScene> library; // each takes 21 MiB and more
    for (int i = 0; i < 20; ++i) {
        const auto red = static_cast<std::uint8_t>(10 * i);
        EXPECT_EQ(middle(renderer, library.emplace_back(shared(painted_quad(2048, red)))).r, red);
        ASSERT_LE(faults.used_bytes, budget);
    }
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(middle(renderer, library[static_cast<std::size_t>(i)]).r, 10 * i)
            << "all are rendered again";
    EXPECT_LE(faults.used_bytes, budget);
}

// The budget of VK_EXT_memory_budget is queried repeatedly, because other processes change it.
TEST_F(GpuMemory, UsesTheBudgetOfTheDriver)
{
    faults.heap_budget = 300 * mebibyte;
    Renderer renderer(tested());
    std::vector<SharedScene> library; // each takes 21 MiB and more
    for (int i = 0; i < 6; ++i)
        middle(renderer, library.emplace_back(shared(painted_quad(2048, 50))));
    EXPECT_EQ(renderer.memory().budget, 300 * mebibyte) << "its own use does not reduce it";
    EXPECT_GT(faults.used_bytes, 120 * mebibyte) << "all of them remain";
    faults.heap_budget = 90 * mebibyte;
    EXPECT_EQ(renderer.memory().budget, 90 * mebibyte);
    EXPECT_EQ(middle(renderer, library.emplace_back(shared(painted_quad(2048, 99)))).r, 99);
    EXPECT_LE(faults.used_bytes, 90 * mebibyte) << "the oldest was evicted";
    EXPECT_EQ(middle(renderer, library.front()).r, 50) << "and was uploaded again";
    faults.heap_budget = 300 * mebibyte;
    EXPECT_EQ(renderer.memory().budget, 300 * mebibyte);
    EXPECT_EQ(middle(renderer, library.back()).r, 99);
}

TEST_F(GpuMemory, UsesTheOptionBelowTheDriverBudget)
{
    faults.heap_budget = 300 * mebibyte;
    Renderer renderer(tested({.memory_bytes = 200 * mebibyte}));
    EXPECT_EQ(renderer.memory().budget, 200 * mebibyte);
    faults.heap_budget = 50 * mebibyte;
    EXPECT_EQ(renderer.memory().budget, 50 * mebibyte);
}

// The device fails an allocation before its budget is reached, because other processes use memory.
TEST_F(GpuMemory, EvictsUnusedScenesWhenAllocationsFail)
{
    Renderer renderer(tested());
    std::vector<SharedScene> library;
    for (int i = 0; i < 6; ++i)
        middle(renderer, library.emplace_back(shared(painted_quad(2048, 50))));
    faults.memory_bytes = faults.used_bytes + mebibyte;
    const auto used_before = faults.used_bytes.load();
    EXPECT_EQ(middle(renderer, shared(painted_quad(2048, 99))).r, 99);
    EXPECT_LT(faults.used_bytes, used_before) << "the other scenes were evicted";
    EXPECT_EQ(middle(renderer, library.front()).r, 50);
}

TEST_F(GpuMemory, KeepsRecentlyUsedScenesWhenEvicting)
{
    Renderer renderer(tested());
    std::vector<SharedScene> library;
    for (int i = 0; i < 8; ++i)
        middle(renderer, library.emplace_back(shared(painted_quad(2048, 50))));
    faults.memory_bytes = faults.used_bytes + mebibyte;
    const auto added = shared(painted_quad(2048, 99));
    EXPECT_EQ(middle(renderer, added).r, 99);
    const int creations = faults.creations;
    middle(renderer, library[7]);
    middle(renderer, library[6]);
    middle(renderer, added);
    EXPECT_EQ(faults.creations, creations) << "still on the device";
    EXPECT_EQ(middle(renderer, library[0]).r, 50);
    EXPECT_GT(faults.creations, creations);
}

// Images in flight are finished before the scenes that they show are evicted.
TEST_F(GpuMemory, KeepsImagesInFlightWhenAllocationsFail)
{
    Renderer renderer(tested());
    std::vector<SharedScene> library;
    std::vector<std::shared_ptr<render::FrameTicket>> tickets;
    const auto submit = [&](std::uint8_t red) {
        const auto& scene = library.emplace_back(shared(painted_quad(2048, red)));
        return renderer.submit(
            std::array{render::FrameRequest{scene, {.width = 16, .height = 16}, render::ClipTime{}}});
    };
    for (std::uint8_t i = 0; i < 6; ++i)
        tickets.push_back(submit(static_cast<std::uint8_t>(10 * i)));
    faults.memory_bytes = faults.used_bytes + mebibyte;
    for (std::uint8_t i = 6; i < 12; ++i)
        tickets.push_back(submit(static_cast<std::uint8_t>(10 * i)));
    for (std::size_t i = 0; i < tickets.size(); ++i)
        EXPECT_EQ(pixel(tickets[i]->collect().at(0), 8, 8).r, static_cast<int>(10 * i)) << i;
}

TEST_F(GpuMemory, RejectsTooLargeModelsAndKeepsOthers)
{
    Renderer renderer(tested({.memory_bytes = 100 * mebibyte}));
    const auto small = shared(painted_quad(64, 77));
    auto many = painted_quad(2048, 1); // eight textures of 21 MiB
    for (std::uint32_t i = 1; i < 8; ++i) {
        many.images.push_back(many.images[0]);
        auto& material = many.materials.emplace_back(many.materials[0]);
        material.base_color_texture.image = i;
    }
    const auto huge = shared(std::move(many));
    EXPECT_EQ(middle(renderer, small).r, 77);
    const auto used = faults.used_bytes.load();
    const auto rejected = error_text(renderer, huge);
    EXPECT_NE(rejected.find("170 MiB"), std::string::npos) << rejected;
    EXPECT_NE(rejected.find("100 MiB"), std::string::npos) << rejected;
    EXPECT_EQ(faults.used_bytes, used) << "nothing is evicted for a scene that cannot fit";
    EXPECT_EQ(middle(renderer, small).r, 77);
    // The device's actual limit is only found by trying.
    faults.memory_bytes = faults.used_bytes + 110 * mebibyte;
    Renderer tight(tested({.memory_bytes = 1000 * mebibyte}));
    EXPECT_THROW(middle(tight, huge), render::TooLargeForDevice);
    EXPECT_EQ(middle(tight, small).r, 77);
}

// The vertices of a pose are written through several bindings.
TEST_F(GpuMemory, DrawsModelsWithMoreVerticesThanABindingHolds)
{
    Renderer renderer(tested({}));
    Renderer limited(tested({.max_binding_bytes = 64 << 10})); // 4,096 vertices
    if (tested_device() != "software") { // a card binds at least 1 GiB: its inputs are not divided
        EXPECT_THROW(middle(limited, shared(tube(100, 101, 24, 3))), render::TooLargeForDevice);
        return;
    }
    for (const std::uint32_t influences : {1u, 3u, 11u}) {
        auto scene = tube(100, 101, 24, influences); // 10,100 vertices
        const auto tubes = shared(std::move(scene));
        expect_equal_skinning(limited, tubes, 2);
        const render::ClipTime clip_time{0, 0.7};
        const auto frame = limited.render(tubes, {.width = 128, .height = 128}, {&clip_time, 1}).at(0);
        const auto expected = renderer.render(tubes, {.width = 128, .height = 128}, {&clip_time, 1}).at(0);
        EXPECT_EQ(frame.pixels, expected.pixels) << influences;
    }
    const auto large = shared(tube(100, 101, 24, 3));
    render::View view{.width = 16, .height = 16};
    view.overlays.normals = true;
    const render::ClipTime clip_time;
    EXPECT_THROW(limited.render(large, view, {&clip_time, 1}), render::TooLargeForDevice);
}

// The vertices of the previous batch are drawn again if scene and clip time are equal.
TEST_F(GpuMemory, ReusesSkinnedVerticesOfTheSamePoseOnly)
{
    Renderer renderer(tested());
    const auto bent = shared(tube(20, 12, 6, 3)), other = shared(tube(30, 9, 4, 2));
    const auto draw = [](Renderer& with, const SharedScene& scene, double time, float yaw) {
        render::View view{.width = 64, .height = 64};
        view.camera.yaw = yaw;
        const render::ClipTime clip_time{0, time};
        auto frame = with.render(scene, view, {&clip_time, 1}).at(0);
        return std::pair(frame.pixels, frame.bounds.max);
    };
    struct Step {
        SharedScene scene;
        double time;
        float yaw;
    };
    for (const auto& [scene, time, yaw] :
         {Step{bent, 0.2, 0.0f}, Step{bent, 0.2, 40.0f}, Step{bent, 0.9, 40.0f}, Step{other, 0.9, 40.0f},
          Step{bent, 0.9, 40.0f}, Step{bent, 0.9, 80.0f}}) {
        Renderer fresh(tested());
        EXPECT_EQ(draw(renderer, scene, time, yaw), draw(fresh, scene, time, yaw)) << time << ' ' << yaw;
    }
}

TEST_F(GpuMemory, RejectsTooLargeImagesAndRendersSmallOnes)
{
    Renderer renderer(tested({.memory_bytes = 100 * mebibyte}));
    const auto scene = shared(painted_quad(4, 120));
    const render::ClipTime clip_time;
    EXPECT_THROW(renderer.render(scene, {.width = 4096, .height = 4096}, {&clip_time, 1}),
                 render::TooLargeForDevice);
    EXPECT_EQ(middle(renderer, scene).r, 120);
}

TEST_F(GpuMemory, ReducesTexturesToTheLimit)
{
    render::VulkanInstance instance(false);
    for (const std::uint32_t limit : {64u, 300u}) {
        const render::Device device(instance, render::choose_device(instance, tested_device()),
                                    {.texture_side = limit});
        ASSERT_EQ(device.traits.texture_limit, limit);
        render::Timeline timeline(const_cast<render::Device&>(device), std::chrono::seconds(20));
        render::Uploader uploader(device, timeline);
        const render::Textures textures(device, painted_quad(300, 9), uploader);
        uploader.finish();
        const auto side = std::uint64_t{limit == 300 ? 300u : 37u}; // 300, 150, 75, 37
        EXPECT_GE(textures.size_bytes(), side * side * 4);
        constexpr std::uint64_t alignment = 16 << 10; // of small images on NVIDIA cards
        EXPECT_LT(textures.size_bytes(), side * side * 4 * 3 + alignment);
    }
    Renderer renderer(tested({.texture_side = 8}));
    EXPECT_EQ(middle(renderer, shared(painted_quad(300, 180))).r, 180);
    const render::Device greedy(instance, render::choose_device(instance, tested_device()),
                                {.texture_side = UINT32_MAX});
    EXPECT_EQ(greedy.traits.texture_limit, greedy.limits.maxImageDimension2D);
}

} // namespace
} // namespace vitrine::test
