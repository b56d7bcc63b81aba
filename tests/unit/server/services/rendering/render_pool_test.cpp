// Several devices: assignment of models, and the loss of a device.
#include "server/services/rendering/render_pool.hpp"

#include <array>
#include <future>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "server/services/rendering/device_affinity.hpp"
#include "server/services/storage/scene_changes.hpp"
#include "tests/unit/server/services/support/fakes.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;
using enum RenderPriority;

TEST(Affinity, DistributesModelsAndMovesOnlyThoseOfALostDevice)
{
    const std::array<std::size_t, 4> all{0, 1, 2, 3};
    const std::array<std::size_t, 3> rest{0, 1, 3};
    std::array<int, 4> models{}, moved{};
    for (int i = 0; i < 4000; ++i) {
        const auto model = fmt::format("model {}", i);
        const auto place = select_device(model, all);
        ++models[place];
        if (place == 2)
            ++moved[select_device(model, rest)];
        else
            EXPECT_EQ(select_device(model, rest), place);
    }
    for (const int count : models)
        EXPECT_NEAR(count, 1000, 150);
    for (const auto place : rest)
        EXPECT_NEAR(moved[place], 333, 100) << "the others share them";
}

class RenderPools : public ::testing::Test {
protected:
    std::vector<MakeRenderDevice> two()
    {
        return {make_fake_device(gpus[0], "0"), make_fake_device(gpus[1], "1")};
    }
    RenderLimits limits(std::size_t losses = 16)
    {
        return {.max_losses = losses, .retry_interval = std::chrono::milliseconds(1)};
    }
    // Returns a model assigned to the device.
    static std::string model_of(std::size_t place)
    {
        const std::array<std::size_t, 2> all{0, 1};
        for (int i = 0;; ++i)
            if (auto model = fmt::format("model {}", i); select_device(model, all) == place) return model;
    }
    // Returns the device that renders it.
    static std::string drawn_by(RenderPool& pool, const std::string& model)
    {
        return pool
            .submit({image, model},
                    [](RenderDevice& device) {
                        device.render(nullptr, {}, {});
                        return device.info().name;
                    })
            ->get();
    }
    static void wait_for_all(const RenderPool& pool)
    {
        ASSERT_TRUE(test::eventually(
            [&] { return std::ranges::all_of(pool.health().devices, &DeviceHealth::is_available); }));
    }

    std::array<FakeGpu, 2> gpus;
    prometheus::Registry registry;
    Metrics metrics{registry};
};

TEST_F(RenderPools, KeepAModelOnItsDevice)
{
    RenderPool pool(two(), limits(), metrics);
    wait_for_all(pool);
    std::map<std::string, int> models;
    for (int i = 0; i < 100; ++i) {
        const auto model = fmt::format("asset {}", i);
        const auto by = drawn_by(pool, model);
        ++models[by];
        EXPECT_EQ(drawn_by(pool, model), by);
        EXPECT_EQ(pool.device(model)->name, by);
    }
    EXPECT_GT(models["0"], 25);
    EXPECT_GT(models["1"], 25);
    EXPECT_EQ(pool.health().memory.budget, 1400u) << "of both";
}

TEST_F(RenderPools, DrawAtTheSameTime)
{
    RenderPool pool(two(), limits(), metrics);
    wait_for_all(pool);
    std::promise<void> first;
    auto waits = pool.submit({image, model_of(0)}, [met = first.get_future().share()](RenderDevice&) {
        return met.wait_for(test::wait_timeout) == std::future_status::ready;
    });
    pool.submit({image, model_of(1)},
                [&](RenderDevice&) {
                    first.set_value();
                    return 0;
                })
        ->get();
    EXPECT_TRUE(waits->get());
}

TEST_F(RenderPools, RepeatLostWorkOnTheOtherDevice)
{
    RenderPool pool(two(), limits(), metrics);
    wait_for_all(pool);
    gpus[0].lose = 1;
    EXPECT_EQ(drawn_by(pool, model_of(0)), "1");
    EXPECT_EQ(metrics.device(0).losses.Value(), 1.0);
    wait_for_all(pool); // without any work
    EXPECT_EQ(gpus[0].devices, 2);
    EXPECT_EQ(drawn_by(pool, model_of(0)), "0") << "where its scene will be";
    EXPECT_FALSE(pool.quarantined(model_of(0)));
}

TEST_F(RenderPools, QuarantineAModelOnAllDevices)
{
    RenderPool pool(two(), limits(), metrics);
    wait_for_all(pool);
    gpus[0].lose = gpus[1].lose = 1;
    EXPECT_THROW(drawn_by(pool, model_of(0)), ModelQuarantined);
    const auto health = pool.health();
    EXPECT_EQ(health.losses, 2u);
    EXPECT_EQ(health.quarantined, 1u);
    EXPECT_EQ(health.devices[0].losses, 1u);
    EXPECT_EQ(health.devices[1].losses, 1u);
    const auto rejected = pool.submit({image, model_of(0)}, [](RenderDevice&) { return 0; });
    EXPECT_EQ(rejected.error().code, "render_quarantined");
    EXPECT_EQ(drawn_by(pool, "another").size(), 1u);
}

TEST_F(RenderPools, DrawAModelAgainWhoseQuarantineIsLifted)
{
    RenderPool pool(two(), limits(), metrics);
    wait_for_all(pool);
    gpus[0].lose = gpus[1].lose = 1;
    EXPECT_THROW(drawn_by(pool, model_of(0)), ModelQuarantined);
    pool.set_others_quarantined({std::string(quarantine_group("another"))});
    EXPECT_TRUE(pool.quarantined("another"));
    pool.lift_quarantine(std::string(quarantine_group(model_of(0))));
    pool.lift_quarantine(std::string(quarantine_group("another")));
    EXPECT_EQ(pool.health().quarantined, 0u);
    EXPECT_EQ(metrics.models_quarantined.Value(), 0.0);
    wait_for_all(pool);
    EXPECT_EQ(drawn_by(pool, model_of(0)), "0");
    EXPECT_EQ(drawn_by(pool, "another").size(), 1u);
}

TEST_F(RenderPools, MoveWorkFromADeviceThatCannotBeReplaced)
{
    RenderPool pool(two(), limits(), metrics);
    wait_for_all(pool);
    const auto model = model_of(0);
    std::promise<void> started, go;
    auto busy = pool.submit({image, model}, [&, gone = false](RenderDevice& device) mutable {
        if (std::exchange(gone, true)) return device.info().name;
        started.set_value();
        go.get_future().wait();
        throw render::DeviceLost("for good");
    });
    started.get_future().wait();
    std::vector<std::string> request;
    std::vector<std::future<std::string>> waiting;
    for (const auto* name : {"a", "b"})
        waiting.push_back(*pool.submit({image, model}, [&request, name](RenderDevice& device) {
            request.emplace_back(name);
            return device.info().name;
        }));
    gpus[0].absent = true;
    go.set_value();
    EXPECT_EQ(busy->get(), "1");
    for (auto& one : waiting)
        EXPECT_EQ(one.get(), "1");
    EXPECT_THAT(request, ElementsAre("a", "b"));
    EXPECT_EQ(drawn_by(pool, model), "1") << "and what comes later";
    EXPECT_EQ(pool.device(model)->name, "1");
    EXPECT_EQ(metrics.device(0).is_available.Value(), 0.0);
    gpus[0].absent = false;
    wait_for_all(pool);
    EXPECT_EQ(drawn_by(pool, model), "0") << "it is tried again and again";
    EXPECT_EQ(metrics.device(0).is_available.Value(), 1.0);
}

TEST_F(RenderPools, ContinueWithoutADisabledDevice)
{
    std::atomic<int> given_up = 0;
    RenderPool pool(two(), limits(1), metrics, [&] { ++given_up; });
    wait_for_all(pool);
    gpus[0].lose = 1;
    EXPECT_EQ(drawn_by(pool, model_of(0)), "1");
    EXPECT_TRUE(pool.health().devices[0].is_disabled);
    EXPECT_FALSE(pool.health().is_disabled);
    EXPECT_EQ(drawn_by(pool, model_of(0)), "1");
    EXPECT_EQ(gpus[0].devices, 1) << "no other is made";
    EXPECT_EQ(given_up, 0);
    gpus[1].lose = 1;
    EXPECT_THROW(drawn_by(pool, model_of(1)), render::RenderError);
    EXPECT_EQ(given_up, 1);
    EXPECT_TRUE(pool.health().is_disabled);
    EXPECT_FALSE(pool.device());
}

TEST_F(RenderPools, StartWithTheAvailableDevices)
{
    gpus[0].absent = true;
    RenderPool pool(two(), limits(), metrics);
    EXPECT_EQ(pool.device()->name, "1");
    EXPECT_EQ(drawn_by(pool, model_of(0)), "1");
    gpus[1].absent = true;
    RenderPool none(two(), limits(), metrics);
    EXPECT_FALSE(none.device());
    EXPECT_THROW(drawn_by(none, model_of(1)), render::RenderError);
}

TEST_F(RenderPools, AnswerQueuedWorkOnStop)
{
    std::atomic<int> answers = 0;
    const auto work = [](RenderDevice& device) { device.render(nullptr, {}, {}); };
    const auto done = [&](const std::exception_ptr&) { ++answers; };
    int accepted = 0;
    {
        RenderPool pool(two(), limits(), metrics);
        gpus[0].lose = gpus[1].lose = 20;
        for (int i = 0; i < 100; ++i)
            accepted += pool.post({image, fmt::format("asset {}", i)}, work, done) ? 1 : 0;
    }
    EXPECT_GT(accepted, 50);
    EXPECT_EQ(answers, accepted);
}

} // namespace
} // namespace vitrine::server::testing
