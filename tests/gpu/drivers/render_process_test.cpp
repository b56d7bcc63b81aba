// A device in a process of its own renders what a device in this process renders, and its losses are those of
// a device.
#include <array>
#include <csignal>
#include <fstream>
#include <ranges>
#include <set>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/render_process/process_device.hpp"
#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/scenes.hpp"
#include "vk_renderer/mesh/lod.hpp"

namespace vitrine::test {
namespace {

namespace fs = std::filesystem;
using render::ClipTime;
using render::Frame;
using render::FrameRequest;
using render_process::ProcessDevice;

class GpuProcess : public Gpu {
protected:
    static std::unique_ptr<ProcessDevice> make(render_process::ProcessOptions options = {})
    {
        options.program = program("vitrine");
        if (options.call_timeout == render_process::ProcessOptions{}.call_timeout)
            options.call_timeout = std::chrono::minutes(5); // with the machine's other jobs
        return std::make_unique<ProcessDevice>(tested({.validation = true}), options);
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
    static void expect_equal(const Frame& a, const Frame& b, const std::string& what)
    {
        EXPECT_EQ(a.width, b.width) << what;
        EXPECT_EQ(a.height, b.height) << what;
        EXPECT_TRUE(are_equal(a.pixels, b.pixels)) << what;
        EXPECT_EQ(a.bounds.min, b.bounds.min) << what;
        EXPECT_EQ(a.bounds.max, b.bounds.max) << what;
        EXPECT_EQ(a.framing, b.framing) << what;
    }
    static void expect_equal(const std::vector<Frame>& a, const std::vector<Frame>& b,
                             const std::string& what)
    {
        ASSERT_EQ(a.size(), b.size()) << what;
        for (std::size_t i = 0; i < a.size(); ++i)
            expect_equal(a[i], b[i], fmt::format("{} {}", what, i));
    }
    static std::vector<Frame> here(std::span<const FrameRequest> requests)
    {
        std::vector<Frame> frames;
        renderer().render(requests, frames);
        return frames;
    }
    static std::vector<Frame> there(ProcessDevice& device, std::span<const FrameRequest> requests)
    {
        std::vector<Frame> frames;
        device.render(requests, frames);
        return frames;
    }
    // With all kinds of overlays.
    static std::vector<FrameRequest> requests(std::uint32_t number)
    {
        auto all = Gpu::requests(number);
        for (auto& view : all | std::views::transform(&FrameRequest::view)) {
            view.overlays.skeleton = number % 3 == 1;
            view.overlays.wireframe = number % 3 == 2;
            if (number % 4 == 3) view.overlays.debug_view = render::DebugView::weights;
            if (number % 5 == 4) view.light = render::LightingPreset::reference;
        }
        return all;
    }
};

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

TEST_F(GpuProcess, RendersWhatADeviceHereRenders)
{
    const auto device = make();
    EXPECT_EQ(device->info().name, renderer().info().name);
    EXPECT_EQ(device->info().driver, renderer().info().driver);
    EXPECT_EQ(device->info().software, renderer().info().software);
    for (std::uint32_t number = 0; number < 12; ++number)
        expect_equal(there(*device, requests(number)), here(requests(number)),
                     fmt::format("request {}", number));
    EXPECT_GT(device->work_time().count(), 0);
    EXPECT_GT(device->memory().used, 0u);
    EXPECT_GE(device->memory().budget, device->memory().used);
}

// By which the server decides whether a device has a process of its own.
TEST_F(GpuProcess, IsChosenByTheKindOfTheDevice)
{
    EXPECT_EQ(render::selects_software(tested_device()), renderer().info().software);
    EXPECT_TRUE(render::selects_software("software"));
    EXPECT_TRUE(render::selects_software("no such device")) << "there is nothing to start a process for";
}

TEST_F(GpuProcess, RendersSequencesBoundsAndPicks)
{
    const auto device = make();
    const auto scene = share(mixture());
    std::vector<ClipTime> clip_times;
    for (int i = 0; i < 40; ++i)
        clip_times.push_back({0, 0.05 * i});
    const render::View view{.width = 64, .height = 48};
    std::vector<Frame> frames;
    device->render(scene, view, clip_times, frames);
    EXPECT_FALSE(device->expected_time(share(textured_cube()), view)) << "it was not rendered yet";
    EXPECT_TRUE(device->expected_time(scene, view));
    const auto* const memory = frames[0].pixels.data();
    expect_equal(frames, renderer().RenderDevice::render(scene, view, clip_times), "frame");
    device->render(scene, view, clip_times, frames);
    EXPECT_EQ(frames[0].pixels.data(), memory) << "live views reuse it";

    const auto boxes = device->bounds(scene, clip_times), expected = renderer().bounds(scene, clip_times);
    ASSERT_EQ(boxes.size(), expected.size());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        EXPECT_TRUE(boxes[i].min == expected[i].min && boxes[i].max == expected[i].max) << i;

    int hits = 0;
    for (std::uint32_t x = 0; x < view.width; x += 5) {
        const auto hit = device->pick(scene, view, clip_times[3], x, 24);
        const auto other = renderer().pick(scene, view, clip_times[3], x, 24);
        ASSERT_EQ(hit.has_value(), other.has_value()) << x;
        if (!hit) continue;
        ++hits;
        EXPECT_EQ(hit->node, other->node);
        EXPECT_EQ(hit->triangle, other->triangle);
        EXPECT_EQ(hit->position, other->position);
    }
    EXPECT_GT(hits, 1);
}

TEST_F(GpuProcess, RendersLevelsOfDetail)
{
    const auto device = make();
    const auto scene = share(dense_tube());
    render::View view{.width = 96, .height = 96};
    view.lod = render::build_lod(*scene, 5'000);
    ASSERT_TRUE(view.lod);
    const std::array all{FrameRequest{scene, view, {}}, FrameRequest{scene, {.width = 96, .height = 96}, {}}};
    const auto frames = there(*device, all);
    expect_equal(frames, here(all), "image");
    EXPECT_FALSE(frames[0].pixels == frames[1].pixels);
}

TEST_F(GpuProcess, ReportsErrorsByTheirType)
{
    const auto device = make();
    const auto scene = share(mixture());
    EXPECT_THROW(there(*device, std::array{FrameRequest{scene, {.width = 0, .height = 4}, {}}}),
                 render::RenderError);
    EXPECT_THROW(there(*device, std::array{FrameRequest{scene, {.width = 9, .height = 9}, {7, 0.0}}}),
                 render::RenderError)
        << "the scene has no such clip";
    EXPECT_THROW(there(*device, std::array{FrameRequest{
                                    scene, {.width = 4'000'000'000, .height = 4'000'000'000}, {}}}),
                 render::RenderError);
    EXPECT_THROW(device->pick(scene, {.width = 8, .height = 8}, {}, 8, 0), render::RenderError);
    EXPECT_THROW(there(*device, std::array{FrameRequest{nullptr, {}, {}}}), std::runtime_error);
    expect_equal(there(*device, requests(3)), here(requests(3)), "afterwards");
}

TEST_F(GpuProcess, KeepsTicketsInFlightDuringOtherCalls)
{
    const auto device = make();
    std::vector<std::shared_ptr<render::FrameTicket>> tickets;
    for (std::uint32_t number = 0; number < 7; ++number)
        tickets.push_back(device->submit(requests(number)));
    expect_equal(there(*device, requests(9)), here(requests(9)), "between");
    EXPECT_THROW(device->submit(std::array{FrameRequest{share(mixture()), {.width = 0, .height = 4}, {}}}),
                 render::RenderError);
    for (std::uint32_t number = 0; number < 7; ++number) {
        if (number % 2 == 0) std::thread([&] { tickets[number]->wait(); }).join();
        expect_equal(tickets[number]->collect(), here(requests(number)), fmt::format("ticket {}", number));
        EXPECT_GT(tickets[number]->work_time().count(), 0);
    }
    const auto second = device->submit(requests(1)), first = device->submit(requests(2));
    expect_equal(first->collect(), here(requests(2)), "the later one first");
    expect_equal(second->collect(), here(requests(1)), "the earlier one");
    for (std::uint32_t number = 0; number < 5; ++number)
        device->submit(requests(number)); // dropped
    expect_equal(device->submit(requests(1))->collect(), here(requests(1)), "after dropped ones");
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
    const auto frames = there(*device, all);
    expect_equal(frames, here(all), "image");
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
    EXPECT_GT(memory(), 16 << 10);
    EXPECT_LE(memory(), 64 << 10);
    device->idle();
    EXPECT_LE(memory(), 1 << 10) << "given back";
    expect_equal(there(*device, all), frames, "after the memory was given back");
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
