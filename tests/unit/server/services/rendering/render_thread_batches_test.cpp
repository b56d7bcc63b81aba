// Stills in flight: batches that the device works on while the render thread does other work.
#include <future>
#include <thread>

#include <gmock/gmock.h>

#include "tests/unit/server/services/rendering/slow_gpu.hpp"

namespace vitrine::server::testing {
namespace {

using enum RenderPriority;

class BatchesInFlight : public SlowGpuTest {
protected:
    std::future<render::Frame> still(std::uint32_t width, const std::string& model = "model")
    {
        return pool->request_frame({image, model}, {nullptr, {.width = width, .height = 4}, {}}).value();
    }
    // Requests stills until this number of batches is in flight.
    void fill(std::size_t batches)
    {
        for (std::size_t i = 0; i < batches; ++i) {
            stills.push_back(still(static_cast<std::uint32_t>(33 + stills.size())));
            ASSERT_TRUE(test::eventually([&] { return gpu.batches() == i + 1; })) << i;
        }
    }
    void expect_all()
    {
        for (std::size_t i = 0; i < stills.size(); ++i)
            EXPECT_EQ(stills[i].get().width, 33 + i) << "its own picture";
    }

    std::vector<std::future<render::Frame>> stills;
};

TEST_F(BatchesInFlight, AreThree)
{
    fill(3);
    for (std::uint32_t i = 3; i < 9; ++i)
        stills.push_back(still(33 + i));
    EXPECT_EQ(gpu.batches(), 3u);
    EXPECT_EQ(metrics.device(0).queue.Value(), 6.0) << "the others wait";
    gpu.permit(1);
    EXPECT_EQ(stills[0].get().width, 33u);
    ASSERT_TRUE(test::eventually([&] { return gpu.batches() == 4; })) << "in place of the first";
    EXPECT_EQ(gpu.submitted[3], 4u) << "at most four times the images of the measured batch";
    gpu.permit(10);
    stills.erase(stills.begin());
    for (std::size_t i = 0; i < stills.size(); ++i)
        EXPECT_EQ(stills[i].get().width, 34 + i);
}

TEST_F(BatchesInFlight, DoNotDelayALiveFrame)
{
    fill(2);
    gpu.work = std::chrono::milliseconds(15);
    const auto live =
        pool->submit(interactive, [](RenderDevice& device) { return device.render(nullptr, {}, {}).size(); });
    ASSERT_TRUE(live);
    ASSERT_TRUE(test::eventually([&] {
        const std::lock_guard lock(gpu.mutex);
        return gpu.live_frames == 1;
    })) << "although no batch is finished";
    gpu.permit(2);
    expect_all();
    auto first = still(50);
    ASSERT_TRUE(test::eventually([&] { return gpu.batches() == 3; }));
    auto second = still(51);
    EXPECT_EQ(metrics.device(0).queue.Value(), 1.0) << "both would take longer than a batch may";
    gpu.permit(1);
    EXPECT_EQ(first.get().width, 50u);
    ASSERT_TRUE(test::eventually([&] { return gpu.batches() == 4; }));
    gpu.permit(1);
    EXPECT_EQ(second.get().width, 51u);
}

TEST_F(BatchesInFlight, AreRepeatedAfterALoss)
{
    fill(3);
    gpu.permit(1);
    EXPECT_EQ(stills[0].get().width, 33u);
    {
        const std::lock_guard lock(gpu.mutex);
        gpu.is_lost = true;
    }
    gpu.changed.notify_all();
    ASSERT_TRUE(test::eventually([&] { return gpu.batches() == 4; })) << "the second, alone";
    EXPECT_EQ(gpu.submitted[3], 1u);
    gpu.permit(10);
    EXPECT_EQ(stills[1].get().width, 34u);
    EXPECT_EQ(stills[2].get().width, 35u);
    EXPECT_EQ(pool->health().losses, 1u);
    EXPECT_EQ(gpu.batches(), 5u);
}

TEST_F(BatchesInFlight, AreAnsweredIfTheyWereFinishedBeforeTheLoss)
{
    fill(1);
    {
        const std::lock_guard lock(gpu.mutex);
        gpu.poison = 99;
    }
    auto bad = still(99, "bad");
    ASSERT_TRUE(test::eventually([&] { return metrics.device(0).queue.Value() == 0.0; }));
    gpu.permit(1);
    EXPECT_EQ(stills[0].get().width, 33u);
    EXPECT_THROW(bad.get(), ModelQuarantined);
    EXPECT_EQ(gpu.batches(), 1u) << "it is not repeated";
    EXPECT_FALSE(pool->quarantined("model"));
}

TEST_F(BatchesInFlight, AreFinishedWhenTheServerStops)
{
    fill(3);
    auto waiting = still(60);
    std::thread stop([&] { pool->stop(); });
    ASSERT_TRUE(test::eventually([&] {
        const auto rejected = pool->submit(interactive, [](RenderDevice&) { return 0; });
        return !rejected && rejected.error().code == "stopping";
    }));
    gpu.permit(3);
    stop.join();
    expect_all();
    EXPECT_THROW(waiting.get(), render::RenderError);
}

TEST_F(BatchesInFlight, CountTheTimeInWhichPicturesWait)
{
    fill(1);
    EXPECT_EQ(metrics.device(0).tasks.Value(), 1.0);
    gpu.permit(1);
    expect_all();
    pool->stop();
    EXPECT_GT(metrics.device(0).busy_seconds.Value(), 0.0);
}

TEST_F(BatchesInFlight, CountTheTimeInWhichTheDeviceHasWork)
{
    const auto in_flight = [&] { return metrics.device(0).in_flight_seconds.Value(); };
    const auto now = [] { return std::chrono::steady_clock::now(); };
    const auto seconds_since = [&](auto begin) {
        return std::chrono::duration<double>(now() - begin).count();
    };
    fill(2);
    const auto filled = now();
    ASSERT_TRUE(test::eventually([&] { return seconds_since(filled) >= 0.005; }));
    const double first = seconds_since(filled);
    gpu.permit(1);
    stills[0].get();
    ASSERT_TRUE(test::eventually([&] { return in_flight() >= first; }));
    const auto second_alone = now();
    const double before = in_flight();
    ASSERT_TRUE(test::eventually([&] { return seconds_since(second_alone) >= 0.005; }));
    const double second = seconds_since(second_alone);
    gpu.permit(1);
    stills[1].get();
    ASSERT_TRUE(test::eventually([&] { return in_flight() >= before + second; }));
    const double both = in_flight();
    const auto idle_from = now();
    ASSERT_TRUE(test::eventually([&] { return seconds_since(idle_from) >= 0.05; }));
    const auto requested = now();
    const auto third = still(40);
    ASSERT_TRUE(test::eventually([&] { return gpu.batches() == 3; }));
    gpu.permit(1);
    third.wait();
    ASSERT_TRUE(test::eventually([&] { return in_flight() > both; }));
    EXPECT_LE(in_flight(), both + seconds_since(requested)) << "not while nothing was submitted";
    pool->stop();
    EXPECT_LE(in_flight(), metrics.device(0).busy_seconds.Value());
}

} // namespace
} // namespace vitrine::server::testing
