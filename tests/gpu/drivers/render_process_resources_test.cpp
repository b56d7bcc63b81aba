// Memory, descriptors and processes of a device in a process of its own, and its losses.
#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include "tests/gpu/drivers/render_process_fixture.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

namespace fs = std::filesystem;
using render::FrameRequest;
using render_process::ProcessDevice;

// Entries of a folder of /proc whose link contains the text.
std::size_t count_links(const fs::path& folder, std::string_view text)
{
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        std::error_code gone;
        count += fs::read_symlink(entry.path(), gone).string().contains(text) ? 1 : 0;
    }
    return count;
}

// More pixels than fit into the shared memory at once.
TEST_F(GpuProcess, PassesManyPixelsInPieces)
{
    const auto device = make();
    const auto scene = share(textured_cube());
    std::vector<FrameRequest> all;
    for (std::uint32_t i = 0; i < 9; ++i) {
        render::View view{.width = 1500 + i, .height = 1499};
        view.camera.yaw = 40.0f * static_cast<float>(i);
        all.push_back({scene, view, {}});
    }
    auto frames = there(*device, all);
    expect_equal(frames, here(all), "image");
    EXPECT_EQ(std::ranges::count_if(frames, [](const auto& frame) { return frame.pixels.is_shared(); }), 8)
        << "one lies in two pieces";
    const auto memory = [] { // of the frames in this process, in kB
        std::ifstream maps("/proc/self/smaps");
        std::string line;
        long size = 0;
        for (bool inside = false; std::getline(maps, line);) {
            if (line.contains("-") && line.contains(" r")) inside = line.contains("vitrine frames");
            if (inside && line.starts_with("Size:")) size += std::stol(line.substr(5));
        }
        return size;
    };
    device->idle();
    EXPECT_GT(memory(), 64 << 10) << "frames use it";
    EXPECT_LE(memory(), 96 << 10);
    for (auto& frame : frames)
        frame.pixels.own();
    device->idle();
    EXPECT_EQ(memory(), 0) << "given back";
    expect_equal(there(*device, all), frames, "after the memory was given back");
}

std::vector<FrameRequest> large_requests(const render::SharedScene& scene)
{
    std::vector<FrameRequest> all;
    for (std::uint32_t i = 0; i < 3; ++i)
        all.push_back({scene, {.width = 256 + i, .height = 256}, {}});
    return all;
}

TEST_F(GpuProcess, IsOutlivedByItsFrames)
{
    auto device = make();
    const auto all = large_requests(share(textured_cube()));
    const auto frames = there(*device, all);
    const auto collected = device->submit(all)->collect();
    ASSERT_TRUE(frames[0].pixels.may_change() && collected[2].pixels.may_change());
    ASSERT_EQ(::kill(device->process_id(), SIGKILL), 0);
    EXPECT_THROW(there(*device, all), render::DeviceLost);
    device = make();
    expect_equal(there(*device, all), here(all), "of the replacement");
    expect_equal(frames, here(all), "of the killed process");
    expect_equal(collected, here(all), "of its ticket");
}

TEST_F(GpuProcess, DrawsWhileFramesHoldAllMemory)
{
    const auto device = make({.frame_bytes = 1u << 20});
    const auto all = large_requests(share(textured_cube()));
    std::vector<std::vector<render::Frame>> held;
    for (int i = 0; i < 6; ++i)
        held.push_back(device->submit(all)->collect());
    EXPECT_TRUE(held.front()[0].pixels.is_shared());
    EXPECT_FALSE(held.back()[0].pixels.is_shared());
    const auto expected = here(all);
    for (const auto& frames : held)
        expect_equal(frames, expected, "image");
}

TEST_F(GpuProcess, KeepsOnlyScenesInUse)
{
    const auto maps_of_scenes = [](const ProcessDevice& device) {
        std::ifstream maps(fmt::format("/proc/{}/maps", device.process_id()));
        std::string line;
        std::set<std::string> files;
        while (std::getline(maps, line))
            if (line.contains("vitrine scene")) files.insert(line.substr(line.find("00:")));
        return files.size();
    };
    const auto device = make({.scene_bytes = 1});
    const auto a = share(textured_cube()), b = share(mixture());
    const auto draw = [&](const render::SharedScene& scene) {
        there(*device, std::array{FrameRequest{scene, {.width = 32, .height = 32}, {}}});
    };
    draw(a);
    draw(b);
    EXPECT_EQ(maps_of_scenes(*device), 1u) << "the limit is exceeded by every scene";
    draw(a);
    EXPECT_EQ(maps_of_scenes(*device), 1u);
    const auto large = make();
    for (int i = 0; i < 3; ++i)
        there(*large, std::array{FrameRequest{share(textured_cube()), {.width = 32, .height = 32}, {}},
                                 FrameRequest{b, {.width = 32, .height = 32}, {}}});
    large->idle();
    EXPECT_EQ(maps_of_scenes(*large), 1u) << "those that exist no more in this process were released";
}

TEST_F(GpuProcess, LeavesNoDescriptorAndNoProcess)
{
    const auto own = [] { return count_links("/proc/self/fd", ""); };
    make(); // what libraries open once
    const auto before = own();
    for (int i = 0; i < 2; ++i) {
        const auto device = make();
        const auto child = device->process_id();
        there(*device, requests(3));
        const auto descriptors = count_links(fmt::format("/proc/{}/fd", child), "");
        for (std::uint32_t number = 0; number < 6; ++number)
            there(*device, requests(number));
        EXPECT_EQ(count_links(fmt::format("/proc/{}/fd", child), ""), descriptors) << "of the process";
        EXPECT_EQ(count_links("/proc/self/fd", "vitrine scene"), 0u);
    }
    EXPECT_EQ(own(), before);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "no child is left";
}

TEST_F(GpuProcess, IsLostWhenItIsKilled)
{
    auto device = make();
    const auto ticket = device->submit(requests(3)), next = device->submit(requests(2));
    ASSERT_EQ(::kill(device->process_id(), SIGKILL), 0);
    next->wait();
    try {
        next->collect(); // its notice may have arrived, its pixels have not
        ADD_FAILURE();
    } catch (const render::DeviceLost& loss) {
        EXPECT_THAT(loss.what(), testing::HasSubstr("SIGKILL"));
    }
    EXPECT_THROW(ticket->collect(), render::DeviceLost);
    EXPECT_THROW(there(*device, requests(1)), render::DeviceLost);
    EXPECT_GT(device->work_time().count(), 0) << "as last known";
    device->idle();
    device = make();
    expect_equal(there(*device, requests(3)), here(requests(3)), "of the replacement");
}

// SIGSTOP, as a driver that never returns: neither the process nor its own time limit works any more.
TEST_F(GpuProcess, IsKilledAtTheDeadline)
{
    for (const bool waits_for_ticket : {true, false}) {
        auto device = make({.call_timeout = std::chrono::seconds(5)});
        there(*device, requests(3));
        const auto ticket = device->submit(requests(2));
        const auto child = device->process_id();
        ASSERT_EQ(::kill(child, SIGSTOP), 0);
        if (waits_for_ticket) ticket->wait();
        if (!waits_for_ticket) EXPECT_THROW(there(*device, requests(1)), render::DeviceLost);
        EXPECT_THROW(ticket->collect(), render::DeviceLost);
        EXPECT_EQ(::kill(child, 0), -1) << "the process exists no more, and was waited for";
        EXPECT_THROW(there(*device, requests(1)), render::DeviceLost);
    }
    expect_equal(there(*make(), requests(3)), here(requests(3)), "of the replacement");
}

} // namespace
} // namespace vitrine::test
