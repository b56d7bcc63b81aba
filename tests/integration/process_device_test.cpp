// A render device whose process cannot start, crashes or lies.
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <prometheus/registry.h>

#include "server/render_process/process_device.hpp"
#include "server/services/rendering/render_devices.hpp"
#include "server/services/rendering/render_pool.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

using render_process::ProcessDevice;

TEST(RenderProcess, ThatCannotBeStartedIsAnError)
{
    EXPECT_THROW(ProcessDevice({}, {.program = "/no/such/program"}), std::runtime_error);
    EXPECT_THROW(ProcessDevice({}, {.program = "/bin/true"}), render::DeviceLost) << "it ends without a word";
}

// A triangle fan; `poisonous` ones are drawn with an index count for which the driver crashes.
std::shared_ptr<const scene::Scene> fan_of(std::uint32_t triangles)
{
    scene::Scene scene;
    scene::Mesh mesh;
    mesh.positions = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}};
    for (std::uint32_t i = 0; i < triangles; ++i) {
        mesh.positions.push_back(
            {1.0f, 0.1f * static_cast<float>(i + 1), 0.01f * static_cast<float>(i * i + 1)});
        mesh.indices.insert(mesh.indices.end(), {0, i + 1, i + 2});
    }
    mesh.normals.assign(mesh.positions.size(), {0.0f, 0.0f, 1.0f});
    add_whole_primitive(mesh);
    scene.meshes.push_back(std::move(mesh));
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    return std::make_shared<const scene::Scene>(std::move(scene));
}

// Several waiting images are drawn in one batch: the one that crashes the driver fails, after its repetition
// alone.
TEST(RenderProcess, CrashFailsOnlyItsImage)
{
    constexpr std::uint32_t poisonous = 33;
    const auto fault = fmt::format("crash {} 1000", 3 * poisonous);
    ::setenv("VITRINE_FAULTY_DRAWS", fault.c_str(), 1); // NOLINT(concurrency-mt-unsafe): one thread
    prometheus::Registry registry;
    server::Metrics metrics(registry);
    server::RenderPool pool(server::make_devices({.device = "software"}, server::RenderProcess::always,
                                                 {.program = program("vitrine-faulty")}),
                            {.batch_time = std::chrono::seconds(100)}, metrics);
    ASSERT_TRUE(pool.device());
    std::promise<void> queued;
    auto blocked = pool.submit(server::RenderPriority::image, [&](server::RenderDevice&) {
        queued.get_future().wait(); // the images wait, so that they are drawn together
        return true;
    });
    std::vector<std::future<render::Frame>> images;
    for (std::uint32_t i = 0; i < 6; ++i) {
        const auto scene = fan_of(i == 2 ? poisonous : 10 + i);
        images.push_back(pool.request_frame({server::RenderPriority::image, fmt::format("model {}", i)},
                                            {scene, {.width = 40, .height = 40}, {}})
                             .value());
    }
    queued.set_value();
    EXPECT_TRUE(blocked->get());
    for (std::size_t i = 0; i < images.size(); ++i) {
        if (i == 2)
            EXPECT_THROW(images[i].get(), server::ModelQuarantined);
        else
            EXPECT_EQ(images[i].get().pixels.size(), 40u * 40 * 4) << i;
    }
    EXPECT_EQ(pool.health().losses, 2u) << "of the batch, and of the image alone";
    EXPECT_EQ(pool.health().quarantined, 1u);
}

// The reason of the loss that a question for one image of 8 x 8 ends with.
std::string loss_with(const char* mode)
{
    ::setenv("VITRINE_HOSTILE", mode, 1); // NOLINT(concurrency-mt-unsafe): one thread
    ProcessDevice device(
        {}, {.program = program("vitrine-hostile-renderer"), .call_timeout = std::chrono::milliseconds(300)});
    EXPECT_EQ(device.info().name, "hostile");
    const auto scene = std::make_shared<const scene::Scene>(skinned_bar());
    const render::ClipTime clip_time;
    const auto child = device.process_id();
    try {
        device.render(scene, {.width = 8, .height = 8}, std::span(&clip_time, 1));
    } catch (const render::DeviceLost& loss) {
        EXPECT_EQ(::kill(child, 0), -1) << mode << ": the process exists";
        EXPECT_THROW(device.bounds(scene, {&clip_time, 1}), render::DeviceLost) << "from now on";
        EXPECT_EQ(device.memory().used, 0u);
        device.idle();
        return loss.what();
    }
    return "none";
}

TEST(HostileRenderProcess, IsKilled)
{
    EXPECT_THAT(loss_with("size"), testing::HasSubstr("invalid frame"));
    EXPECT_THAT(loss_with("box"), testing::HasSubstr("invalid frame"));
    EXPECT_THAT(loss_with("count"), testing::HasSubstr("number of frames"));
    EXPECT_THAT(loss_with("offset"), testing::HasSubstr("outside the memory"));
    EXPECT_THAT(loss_with("type"), testing::HasSubstr("unexpected message"));
    EXPECT_THAT(loss_with("unknown"), testing::HasSubstr("unexpected message"));
    EXPECT_THAT(loss_with("cut"), testing::HasSubstr("malformed message"));
    EXPECT_THAT(loss_with("huge"), testing::HasSubstr("invalid message"));
    EXPECT_THAT(loss_with("signature"), testing::HasSubstr("invalid message"));
    EXPECT_THAT(loss_with("part"), testing::HasSubstr("not answered in time"));
    EXPECT_THAT(loss_with("silence"), testing::HasSubstr("not answered in time"));
    EXPECT_THAT(loss_with("logs"), testing::HasSubstr("not answered in time"));
    EXPECT_THAT(loss_with("exit"), testing::HasSubstr("ended with status 7"));
}

// Otherwise the device is idle between two batches.
TEST(HostileRenderProcess, IsGivenMoreWorkWhileAThreadWaitsForTheFirst)
{
    ::setenv("VITRINE_HOSTILE", "", 1); // NOLINT(concurrency-mt-unsafe): one thread
    ProcessDevice device({}, {.program = program("vitrine-hostile-renderer")});
    const auto scene = std::make_shared<const scene::Scene>(skinned_bar());
    const std::array request{render::FrameRequest{scene, {.width = 8, .height = 8}, {}}};
    const auto first = device.submit(request);
    std::promise<void> waits;
    auto waited = std::async(std::launch::async, [&] {
        waits.set_value();
        first->wait();
    });
    waits.get_future().wait();
    for (int i = 0; i < 1000; ++i) // the thread waits during most of them
        device.submit(request);
    EXPECT_EQ(waited.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
    ::kill(device.process_id(), SIGKILL); // ends the wait
}

TEST(HostileRenderProcess, LogsOneLineAtATime)
{
    ::setenv("VITRINE_HOSTILE", "", 1); // NOLINT(concurrency-mt-unsafe): one thread
    std::vector<std::string> lines;
    const ProcessDevice device({.on_log_message = [&](const std::string& line) { lines.push_back(line); }},
                               {.program = program("vitrine-hostile-renderer")});
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_THAT(lines[0], testing::AllOf(testing::HasSubstr("two"), testing::Not(testing::HasSubstr("\n"))));
}

TEST(HostileRenderProcess, CannotNameWhatTheSceneLacks)
{
    ::setenv("VITRINE_HOSTILE", "", 1); // NOLINT(concurrency-mt-unsafe): one thread
    const auto scene = std::make_shared<const scene::Scene>(skinned_bar());
    const render::ClipTime clip_time;
    const render_process::ProcessOptions options{.program = program("vitrine-hostile-renderer")};
    EXPECT_THROW(ProcessDevice({}, options).pick(scene, {}, clip_time, 0, 0), render::DeviceLost);
    EXPECT_THROW(ProcessDevice({}, options).bounds(scene, {&clip_time, 1}), render::DeviceLost);
}

} // namespace
} // namespace vitrine::test
