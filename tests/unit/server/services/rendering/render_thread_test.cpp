// Tasks on a render thread: order, limits, losses of the device.
#include <atomic>
#include <functional>
#include <future>
#include <thread>

#include <gmock/gmock.h>

#include "loaders/base/stop.hpp"
#include "server/services/rendering/render_result.hpp"
#include "tests/unit/server/services/rendering/render_threads_fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;
using enum RenderPriority;

TEST_F(RenderThreads, ReturnTheResultOfTheWork)
{
    RenderPool thread(one(), {}, metrics);
    auto name = thread.submit(image, [](RenderDevice& device) { return device.info().name; });
    EXPECT_EQ(name.value().get(), "fake");
    EXPECT_EQ(thread.device()->name, "fake");
    EXPECT_EQ(metrics.renders_image.Value(), 1.0);
    EXPECT_EQ(metrics.device(0).tasks.Value(), 1.0);
    thread.stop();
    EXPECT_GT(metrics.device(0).busy_seconds.Value(), 0.0);
    EXPECT_EQ(thread.health().memory.used, 300u);
    EXPECT_EQ(metrics.device(0).bytes.Value(), 300.0);
    EXPECT_EQ(metrics.device(0).budget.Value(), 700.0);
}

TEST_F(RenderThreads, DrawOnceTheirDeviceIsMade)
{
    std::promise<void> asked, go;
    RenderPool thread({[&] {
                          asked.set_value();
                          go.get_future().wait();
                          return make_fake_device(gpu)();
                      }},
                      {}, metrics);
    asked.get_future().wait();
    EXPECT_FALSE(thread.health().devices.at(0).is_available);
    go.set_value();
    EXPECT_EQ(thread.device()->name, "fake");
    EXPECT_TRUE(thread.health().devices.at(0).is_available);
}

// The warm-up of a device compiles shaders for seconds.
TEST_F(RenderThreads, StopWhileTheirDeviceIsMade)
{
    std::promise<void> asked;
    const auto make = [&]() -> std::unique_ptr<RenderDevice> {
        asked.set_value();
        for (;;) {
            check_stop(); // as uploads and framing of the warm-up do
            std::this_thread::yield();
        }
    };
    RenderPool thread({make}, {}, metrics);
    asked.get_future().wait();
    auto waiting = thread.submit(image, [](RenderDevice&) { return 0; });
    thread.stop();
    EXPECT_THROW(waiting.value().get(), render::RenderError);
    EXPECT_FALSE(thread.device());
    EXPECT_EQ(thread.health().losses, 0u);
}

TEST_F(RenderThreads, RunInteractiveThenImagesThenBatch)
{
    RenderPool thread(one(), {}, metrics);
    std::vector<int> request;
    std::vector<std::future<int>> all;
    auto held = pin(thread);
    for (const auto priority : {batch, image, interactive, batch, interactive})
        all.push_back(thread
                          .submit(priority,
                                  [&request, priority](RenderDevice&) {
                                      request.push_back(static_cast<int>(priority));
                                      return 0;
                                  })
                          .value());
    EXPECT_EQ(metrics.device(0).queue.Value(), 5.0);
    held.unlock();
    for (auto& one : all)
        one.get();
    EXPECT_THAT(request, ElementsAre(0, 0, 1, 2, 2));
    EXPECT_EQ(metrics.device(0).queue.Value(), 0.0);
}

// A turntable requests its next frames before the last ones are drawn: such work never ends under load.
TEST_F(RenderThreads, AnswerStillsAmongOtherWorkWithoutEnd)
{
    std::atomic<bool> ended = false;
    std::function<void()> post_next;
    RenderPool thread(one(), {}, metrics);
    post_next = [&] {
        const auto work = [&](RenderDevice&) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (!ended) post_next();
        };
        EXPECT_TRUE(thread.post(batch, work, [](const std::exception_ptr&) {}));
    };
    post_next();
    post_next();
    auto frame = thread.request_frame({image, "model"}, {nullptr, {.width = 8, .height = 8}, {}}).value();
    EXPECT_EQ(frame.wait_for(test::wait_timeout), std::future_status::ready);
    ended = true;
}

TEST_F(RenderThreads, RejectWorkAboveTheLimit)
{
    RenderPool thread(one(), {.max_queued_interactive = 4, .max_queued_image = 2, .max_queued_batch = 1},
                      metrics);
    const auto nothing = [](RenderDevice&) { return 0; };
    auto held = pin(thread);
    EXPECT_TRUE(thread.submit(image, nothing));
    EXPECT_TRUE(thread.submit(image, nothing));
    const auto rejected = thread.submit(image, nothing);
    EXPECT_EQ(rejected.error().code, "render_queue_full");
    EXPECT_EQ(rejected.error().kind, Errc::busy);
    EXPECT_GT(rejected.error().retry_after_s, 0u);
    EXPECT_TRUE(thread.submit(batch, nothing)) << "each lane has its own limit";
    EXPECT_EQ(metrics.renders_rejected.Value(), 1.0);
}

TEST_F(RenderThreads, ReplaceALostDeviceAndRepeatOnce)
{
    RenderPool thread(one(), {}, metrics);
    const auto draw = [](RenderDevice& device) { return device.render(nullptr, {}, {}).size(); };
    gpu.lose = 1;
    EXPECT_EQ(thread.submit(image, draw)->get(), 0u);
    EXPECT_EQ(gpu.devices, 2);
    gpu.lose = 2;
    auto lost = thread.submit(image, draw);
    EXPECT_THROW(lost->get(), render::DeviceLost);
    EXPECT_EQ(thread.submit(image, draw)->get(), 0u) << "and continues";
    EXPECT_EQ(metrics.device(0).losses.Value(), 3.0);
}

TEST_F(RenderThreads, QuarantineTheModelThatLosesTwoDevices)
{
    RenderPool thread(one(), {}, metrics);
    const auto draw = [](RenderDevice& device) { return device.render(nullptr, {}, {}).size(); };
    gpu.lose = 1;
    EXPECT_EQ(thread.submit({image, "clumsy"}, draw)->get(), 0u);
    EXPECT_FALSE(thread.quarantined("clumsy")) << "once is the driver's fault";
    auto held = pin(thread);
    auto bad = thread.submit({image, "bad"}, [&](RenderDevice& device) {
        gpu.lose = 1;
        return draw(device);
    });
    auto behind = thread.submit({image, "bad"}, draw);
    held.unlock();
    EXPECT_THROW(bad->get(), ModelQuarantined);
    EXPECT_THROW(behind->get(), ModelQuarantined) << "what waited already is not tried";
    const auto rejected = thread.submit({interactive, "bad"}, draw);
    EXPECT_EQ(rejected.error().code, "render_quarantined");
    EXPECT_EQ(rejected.error().kind, Errc::unprocessable);
    EXPECT_EQ(thread.submit({image, "good"}, draw)->get(), 0u);
    EXPECT_EQ(thread.health().losses, 3u);
    EXPECT_EQ(thread.health().quarantined, 1u);
    EXPECT_EQ(metrics.models_quarantined.Value(), 1.0);
}

TEST_F(RenderThreads, DisableTheDeviceAfterTheAllowedLosses)
{
    std::atomic<int> given_up = 0;
    RenderPool thread(one(), {.max_losses = 3}, metrics, [&] { ++given_up; });
    const auto draw = [](RenderDevice& device) { return device.render(nullptr, {}, {}).size(); };
    gpu.lose = 2;
    EXPECT_THROW(thread.submit(image, draw)->get(), render::DeviceLost);
    EXPECT_EQ(given_up, 0);
    gpu.lose = 1;
    EXPECT_THROW(thread.submit(image, draw)->get(), render::RenderError) << "no device for a second try";
    EXPECT_EQ(given_up, 1);
    EXPECT_THROW(thread.submit(image, draw)->get(), render::RenderError);
    EXPECT_TRUE(thread.health().is_disabled);
    EXPECT_FALSE(thread.device());
    EXPECT_EQ(gpu.devices, 3);
    EXPECT_EQ(given_up, 1);
}

TEST_F(RenderThreads, PropagateExceptions)
{
    RenderPool thread(one(), {}, metrics);
    auto failed = thread.submit(image, [](RenderDevice&) -> int { throw render::RenderError("too large"); });
    EXPECT_THROW(failed->get(), render::RenderError);
    EXPECT_EQ(gpu.devices, 1);
}

TEST_F(RenderThreads, RunWithoutADevice)
{
    gpu.absent = true;
    RenderPool thread(one(), {}, metrics);
    EXPECT_FALSE(thread.device());
    auto failed = thread.submit(image, [](RenderDevice&) { return 0; });
    EXPECT_THROW(failed->get(), render::RenderError);
}

TEST_F(RenderThreads, CountALossDuringCreation)
{
    gpu.stillborn = true;
    std::atomic<int> given_up = 0;
    RenderPool thread(one(), {.max_losses = 1}, metrics, [&] { ++given_up; });
    EXPECT_FALSE(thread.device());
    EXPECT_THROW(thread.submit(image, [](RenderDevice&) { return 0; })->get(), render::RenderError);
    EXPECT_EQ(given_up, 1);
    EXPECT_EQ(thread.health().losses, 1u);
}

TEST_F(RenderThreads, AnswerQueuedWorkOnStop)
{
    auto thread = std::make_unique<RenderPool>(one(), RenderLimits{}, metrics);
    auto held = pin(*thread);
    auto waiting = thread->submit(batch, [](RenderDevice&) { return 0; });
    std::thread stop([&] { thread->stop(); });
    const auto nothing = [](RenderDevice&) { return 0; };
    for (auto rejected = thread->submit(interactive, nothing);
         rejected || rejected.error().code != "stopping"; rejected = thread->submit(interactive, nothing))
        std::this_thread::yield();
    held.unlock();
    stop.join();
    EXPECT_THROW(waiting->get(), render::RenderError);
    EXPECT_EQ(thread->submit(batch, [](RenderDevice&) { return 0; }).error().code, "stopping");
}

TEST_F(RenderThreads, ServeManyThreads)
{
    RenderPool thread(one(), {.max_queued_interactive = 10'000}, metrics);
    std::atomic<int> sum = 0;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                for (int i = 0; i < 200; ++i)
                    sum += thread.submit(interactive, [](RenderDevice&) { return 1; })->get();
            });
    }
    EXPECT_EQ(sum, 800);
}

// Their clients have left while they waited.
TEST_F(RenderThreads, DropRequestsThatWereStopped)
{
    RenderPool pool(one(), {}, metrics);
    auto pinned = pin(pool);
    std::stop_source client;
    bool has_run = false;
    auto stopped = [&] {
        const StopScope scope(client.get_token());
        return pool.submit(image, [&](RenderDevice&) {
            has_run = true;
            return 1;
        });
    }();
    auto kept = pool.submit(image, [](RenderDevice&) { return 2; });
    client.request_stop();
    {
        const StopScope scope(client.get_token());
        EXPECT_THROW(static_cast<void>(await_result(pool.submit(image, [](RenderDevice&) { return 3; }))),
                     Stopped)
            << "it does not wait for the device";
    }
    pinned.unlock();
    EXPECT_EQ(kept->get(), 2);
    EXPECT_THROW(stopped->get(), Stopped);
    EXPECT_FALSE(has_run);
}

TEST_F(RenderThreads, EndWorkThatIsStopped)
{
    RenderPool pool(one(), {}, metrics);
    std::stop_source client;
    const auto work = [&] {
        const StopScope scope(client.get_token());
        return pool.submit(image, [&](RenderDevice&) {
            client.request_stop();
            check_stop();
            return 1;
        });
    };
    EXPECT_THROW(work()->get(), Stopped);
    EXPECT_EQ(pool.submit(image, [](RenderDevice&) { return 2; })->get(), 2);
    EXPECT_EQ(pool.health().losses, 0u) << "the device is kept";
}

} // namespace
} // namespace vitrine::server::testing
