// The pipeline cache file: it is read back exactly, and damaged or foreign files are rejected. The warm-up
// leaves nothing to compile for usual models.

#include "vk_renderer/gpu/pipeline_cache.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::render {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr PipelineCacheKey key{.vendor = 0x10de, .device = 0x2335, .driver = {1, 2, 3}, .format = {4, 5, 6}};

// Driver data with the header of the key's device.
std::vector<std::byte> driver_data(std::size_t more)
{
    VkPipelineCacheHeaderVersionOne header{.headerSize = sizeof(VkPipelineCacheHeaderVersionOne),
                                           .headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
                                           .vendorID = key.vendor,
                                           .deviceID = key.device,
                                           .pipelineCacheUUID = {4, 5, 6}};
    std::vector<std::byte> data(sizeof header + more, std::byte{0x5a});
    std::memcpy(data.data(), &header, sizeof header);
    return data;
}

TEST(PipelineCacheFile, IsReadBackAsWritten)
{
    const auto data = driver_data(1000);
    std::string why;
    const auto file = wrap_pipelines(key, data);
    const auto back = unwrap_pipelines(key, file, why);
    EXPECT_TRUE(std::ranges::equal(back, data));
    EXPECT_EQ(why, "");
}

TEST(PipelineCacheFile, IsRejectedIfTruncatedOrChanged)
{
    const auto file = wrap_pipelines(key, driver_data(100));
    std::string why;
    for (std::size_t size = 0; size < file.size(); ++size)
        ASSERT_TRUE(unwrap_pipelines(key, std::span(file).first(size), why).empty()) << size;
    for (std::size_t at = 0; at < file.size(); ++at) {
        auto changed = file;
        changed[at] ^= std::byte{0x10};
        why.clear();
        ASSERT_TRUE(unwrap_pipelines(key, changed, why).empty()) << at;
        ASSERT_NE(why, "") << at;
    }
    auto longer = file;
    longer.push_back(std::byte{0});
    EXPECT_TRUE(unwrap_pipelines(key, longer, why).empty());
}

TEST(PipelineCacheFile, IsRejectedForAnotherDeviceOrDriver)
{
    std::string why;
    const auto file = wrap_pipelines(key, driver_data(10));
    for (auto other :
         {PipelineCacheKey{.vendor = 1, .device = key.device, .driver = key.driver, .format = key.format},
          PipelineCacheKey{.vendor = key.vendor, .device = 1, .driver = key.driver, .format = key.format},
          PipelineCacheKey{.vendor = key.vendor, .device = key.device, .driver = {9}, .format = key.format},
          PipelineCacheKey{.vendor = key.vendor, .device = key.device, .driver = key.driver, .format = {9}}})
        EXPECT_TRUE(unwrap_pipelines(other, file, why).empty());
    EXPECT_EQ(why, "it was written by another device or driver");
    // The driver's own header names another device.
    auto data = driver_data(10);
    data[8] ^= std::byte{1};
    EXPECT_TRUE(unwrap_pipelines(key, wrap_pipelines(key, data), why).empty());
    EXPECT_TRUE(unwrap_pipelines(key, wrap_pipelines(key, {}), why).empty());
}

class GpuPipelineCache : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }

    Pixels draw()
    {
        Renderer renderer(
            test::tested({.pipeline_cache = file,
                          .on_log_message = [this](const std::string& line) { notices.push_back(line); }}));
        const auto scene = std::make_shared<const scene::Scene>(test::textured_cube());
        const ClipTime clip_time;
        return renderer.render(scene, {.width = 32, .height = 32}, {&clip_time, 1}).at(0).pixels;
    }
    std::string content() const
    {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    fs::path folder = fs::temp_directory_path() / ("vitrine-pipelines-" + std::to_string(::getpid()));
    fs::path file = folder / "shaders" / "pipelines";
    std::vector<std::string> notices;
};

TEST_F(GpuPipelineCache, IsWrittenReadAndRepaired)
{
    const auto picture = draw();
    ASSERT_TRUE(fs::exists(file));
    const auto original = content();
    EXPECT_EQ(draw(), picture);
    EXPECT_THAT(notices, IsEmpty());
    auto damaged = original;
    damaged.back() = static_cast<char>(damaged.back() ^ 1);
    std::ofstream(file, std::ios::binary) << damaged;
    EXPECT_EQ(draw(), picture) << "without it";
    EXPECT_THAT(notices, ElementsAre(HasSubstr("damaged")));
    EXPECT_EQ(draw(), picture);
    EXPECT_EQ(notices.size(), 1u) << "it was rewritten";
    EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), {}), 1)
        << "no temporary file remains";
}

TEST_F(GpuPipelineCache, WorksWithoutAWritableFolder)
{
    file = "/proc/vitrine/pipelines";
    EXPECT_FALSE(draw().empty());
    EXPECT_THAT(notices, ElementsAre(HasSubstr("not written")));
}

// Bytes of machine code that belongs to no file, which is what the software driver has compiled.
std::uint64_t compiled_bytes()
{
    std::ifstream maps("/proc/self/maps");
    std::uint64_t bytes = 0;
    for (std::string line; std::getline(maps, line);) {
        std::uint64_t begin = 0, end = 0, offset = 0, inode = 0;
        std::string access, device;
        char dash = 0;
        std::istringstream(line) >> std::hex >> begin >> dash >> end >> access >> offset >> device >> inode;
        if (inode == 0 && access.contains('x') && !line.contains('[')) bytes += end - begin;
    }
    return bytes;
}

TEST(GpuWarmUp, LeavesNothingToCompileForSkinnedModels)
{
    Renderer renderer(test::tested());
    if (!renderer.info().software) GTEST_SKIP() << "only the software driver compiles in this process";
    renderer.warm_up();
    const auto before = compiled_bytes();
    EXPECT_GT(before, 0u);
    for (const auto& [rings, sides] :
         {std::pair{32u, 32u}, {31u, 33u}, {90u, 90u}}) { // 1,024 is a power of two
        const auto tube = std::make_shared<const scene::Scene>(test::tube(rings, sides, 16, 4));
        const ClipTime clip_time{.clip = 0, .time = 0.5};
        EXPECT_FALSE(renderer.bounds(tube, {&clip_time, 1}).empty());
        EXPECT_FALSE(renderer.render(tube, {.width = 128, .height = 128}, {&clip_time, 1}).empty());
        EXPECT_EQ(compiled_bytes(), before) << rings << " rings of " << sides;
    }
}

} // namespace
} // namespace vitrine::render
