// The cache of scenes that are still owned elsewhere.

#include <algorithm>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/gpu/physical_device.hpp"
#include "vk_renderer/scene/scene_cache.hpp"

namespace vitrine::render {
namespace {

SharedScene quad()
{
    scene::Scene scene;
    test::add_quad(scene, 0.0f, 1.0f, glm::vec4(1.0f));
    return std::make_shared<const scene::Scene>(std::move(scene));
}

TEST(GpuSceneCache, HoldsManySmallScenesInFewAllocations)
{
    VulkanInstance instance(false);
    Device device(instance, choose_device(instance, test::tested_device()));
    Timeline timeline(device, std::chrono::seconds(20));
    SceneCache cache(device, timeline, std::uint64_t{1} << 30);
    std::vector<SharedScene> library;
    for (int i = 0; i < 1000; ++i) {
        const auto cached = cache.get(library.emplace_back(quad()));
        ASSERT_EQ(cached, cache.get(library.back()));
        ASSERT_LE(cache.size(), SceneCache::max_scenes);
    }
    EXPECT_EQ(cache.size(), SceneCache::max_scenes);
}

// Requires a device with these features.
TEST(GpuDevice, EnablesRobustAccess)
{
    VulkanInstance instance(false);
    auto* const physical = choose_device(instance, test::tested_device());
    std::uint32_t count = 0;
    vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> there(count);
    vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, there.data());
    const bool able = std::ranges::any_of(there, [](const auto& extension) {
        return std::string_view(extension.extensionName) == VK_EXT_ROBUSTNESS_2_EXTENSION_NAME;
    });
    const Device device(instance, physical);
    EXPECT_EQ(device.extensions.robustness2, able);
    EXPECT_EQ(device.features.robustBufferAccess, VK_TRUE) << "available on every device";
}

} // namespace
} // namespace vitrine::render
