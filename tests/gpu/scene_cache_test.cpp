// What the device keeps of scenes that somebody still holds.

#include <vector>

#include <gtest/gtest.h>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/gpu/instance.hpp"
#include "vk_renderer/scene/scene_cache.hpp"

namespace vitrine::render {
namespace {

SharedScene quad()
{
    scene::Scene scene;
    test::add_quad(scene, 0.0f, 1.0f, glm::vec4(1.0f));
    return std::make_shared<const scene::Scene>(std::move(scene));
}

TEST(GpuSceneCache, AThousandSmallScenesDoNotUseUpTheDevicesAllocations)
{
    Instance instance(false);
    Device device(instance, choose_device(instance, test::tested_device()));
    Timeline timeline(device, std::chrono::seconds(20));
    SceneCache cache(device, timeline, std::uint64_t{1} << 30);
    std::vector<SharedScene> library;
    for (int i = 0; i < 1000; ++i) {
        const auto kept = cache.get(library.emplace_back(quad()));
        ASSERT_EQ(kept, cache.get(library.back()));
        ASSERT_LE(cache.size(), SceneCache::max_scenes);
    }
    EXPECT_EQ(cache.size(), SceneCache::max_scenes);
}

} // namespace
} // namespace vitrine::render
