// What a worker draws beside what, and what it stops.

#include "server/services/workers/render_worker.hpp"

#include <atomic>
#include <future>

#include <gmock/gmock.h>

#include "loaders/base/stop.hpp"
#include "tests/support/eventually.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using test::eventually;

class CatalogRenderWorker : public CatalogTest {
protected:
    std::unique_ptr<RenderWorker> start(unsigned slots, RenderWorker::Answer answer)
    {
        auto worker = std::make_unique<RenderWorker>(
            queue, catalog.signals(), "w", slots, std::move(answer), [] { return true; },
            RenderWorkerTimes{.poll = 5ms, .look_again = 5ms, .renew = 10ms, .reserve = 1ms});
        worker->start();
        return worker;
    }
    void ask(const std::string& id, std::uint32_t priority = 0)
    {
        ASSERT_TRUE(queue.ask({.id = id, .model = "model", .request = id, .priority = priority}));
    }

    RenderQueue queue{catalog.connections(), {.wanted_after_leave = 0ms, .alone = 0ms}};
};

TEST_F(CatalogRenderWorker, WhatNobodyWaitsForIsStopped)
{
    std::atomic<int> stopped = 0;
    const auto worker = start(2, [&](const std::string& request) -> RemoteRenderResult {
        try {
            while (request == "left") {
                check_stop();
                std::this_thread::sleep_for(1ms);
            }
        } catch (const Stopped&) {
            ++stopped;
            throw;
        }
        return {.body = "drawn"};
    });
    ask("left");
    EXPECT_TRUE(eventually([&] { return worker->running() == 1; }));
    ask("other");
    EXPECT_TRUE(eventually([&] { return queue.find_outcome("other").has_value(); }));
    EXPECT_EQ(stopped, 0) << "somebody waits";
    queue.leave("left");
    EXPECT_TRUE(eventually([&] { return worker->running() == 0; }));
    EXPECT_EQ(stopped, 1);
    EXPECT_FALSE(queue.find_outcome("left"));
}

TEST_F(CatalogRenderWorker, OthersThanUrgentOnesHaveHalfOfTheSlots)
{
    std::promise<void> go;
    const auto end = go.get_future().share();
    std::atomic<int> slow = 0, most_slow = 0;
    const auto worker = start(4, [&](const std::string& request) {
        if (request.starts_with("slow")) {
            most_slow = std::max<int>(most_slow, ++slow);
            end.wait();
            --slow;
        }
        return RemoteRenderResult{.body = "drawn"};
    });
    for (int i = 0; i < 6; ++i)
        ask("slow" + std::to_string(i), 1);
    EXPECT_TRUE(eventually([&] { return slow == 2; }));
    ask("urgent");
    EXPECT_TRUE(eventually([&] { return queue.find_outcome("urgent").has_value(); }));
    go.set_value();
    EXPECT_TRUE(eventually([&] { return queue.find_outcome("slow5").has_value(); }));
    EXPECT_EQ(most_slow, 2);
}

// It is drawn although the worker never has nothing to do.
TEST_F(CatalogRenderWorker, ARequestThatMustBeDrawnAloneHasItsTurn)
{
    constexpr int others = 300;
    RenderQueue brief(catalog.connections(), {.lease = -1ms, .alone = 0ms});
    ask("alone", 1);
    ASSERT_TRUE(brief.claim("ended", true));
    brief.tidy();
    for (int i = 0; i < others; ++i)
        ask(std::to_string(i));
    std::atomic<int> at_once = 0, drawn = 0, drawn_before = -1;
    std::atomic<bool> is_alone = false;
    const auto worker = start(3, [&](const std::string& request) {
        const bool first = drawn == 0;
        ++at_once;
        if (request == "alone") {
            drawn_before = drawn.load();
            is_alone = at_once == 1;
        }
        std::this_thread::sleep_for(first ? 20ms : 2ms);
        --at_once;
        ++drawn;
        return RemoteRenderResult{.body = "drawn"};
    });
    EXPECT_TRUE(eventually([&] { return drawn == others + 1; }));
    EXPECT_TRUE(is_alone);
    EXPECT_LT(drawn_before, others / 2);
}

} // namespace
} // namespace vitrine::server::testing
