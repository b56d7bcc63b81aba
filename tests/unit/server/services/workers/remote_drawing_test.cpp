// A process that waits for images and workers that draw them, over one database.

#include "server/services/workers/remote_drawing.hpp"

#include <atomic>
#include <future>
#include <thread>

#include <gmock/gmock.h>

#include "loaders/base/stop.hpp"
#include "server/services/workers/draw_worker.hpp"
#include "tests/support/eventually.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using test::eventually;

class CatalogRemoteDraws : public CatalogTest {
protected:
    void add_worker(const std::string& id, std::uint32_t slots = 2)
    {
        workers.put({.id = id, .name = "host:1", .role = "worker", .draw_slots = slots});
    }
    std::unique_ptr<DrawWorker> start_worker(const std::string& id, DrawWorker::Answer answer)
    {
        add_worker(id);
        auto worker = std::make_unique<DrawWorker>(queue, catalog.signals(), id, 2, std::move(answer),
                                                   [] { return true; });
        worker->start();
        return worker;
    }
    static DrawOrder order(const std::string& id)
    {
        return {.id = id, .model = "model of " + id, .request = "draw " + id};
    }
    RemoteDrawing drawing(const RemoteDrawingLimits& limits = {})
    {
        return RemoteDrawing(queue, workers, catalog.signals(), limits);
    }

    WorkerDirectory workers{catalog.connections(), {.max_silence = 1h, .cache = 0ms}};
    RenderQueue queue{catalog.connections()};
};

TEST_F(CatalogRemoteDraws, TheAnswerOfTheWorkerIsReturned)
{
    const auto worker = start_worker("w", [](const std::string& request) {
        return DrawOutcome{.content_type = "image/png", .body = "drawn: " + request};
    });
    auto draws = drawing({.poll = 60s}); // woken by signals alone
    const auto outcome = draws.draw(order("a"), "hash").value();
    EXPECT_EQ(outcome.body, "drawn: draw a");
    EXPECT_EQ(outcome.content_type, "image/png");
}

TEST_F(CatalogRemoteDraws, AnotherImageThanWasAskedForIsAnError)
{
    const auto worker = start_worker("w", [](const std::string& request) {
        return DrawOutcome{.body = request, .etag = request.contains("new") ? "\"new\"" : "\"old\""};
    });
    auto draws = drawing();
    auto other = order("other");
    other.etag = "\"new\"";
    const auto rejected = draws.draw(other, "hash");
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code, drawn_otherwise);
    EXPECT_EQ(rejected.error().kind, Errc::unavailable);
    auto same = order("new");
    same.etag = "\"new\"";
    EXPECT_TRUE(draws.draw(same, "hash"));
    EXPECT_FALSE(draws.draw(order("untagged"), "hash")) << "a worker that says more than was asked for";
}

TEST_F(CatalogRemoteDraws, WithoutAWorkerItFailsAtOnce)
{
    auto draws = drawing();
    const auto none = draws.draw(order("a"), "hash");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, "no_worker");
    EXPECT_GT(none.error().retry_after_s, 0u);
    add_worker("w", 0); // has no device now
    EXPECT_EQ(draws.draw(order("a"), "hash").error().code, "no_worker");
    EXPECT_EQ(queue.length(), 0u);
}

TEST_F(CatalogRemoteDraws, ItEndsWhenAllWorkersAreGone)
{
    add_worker("w");
    auto draws = drawing({.no_worker = 20ms, .poll = 5ms});
    auto waiting = std::async(std::launch::async, [&] { return draws.draw(order("a"), "hash"); });
    EXPECT_TRUE(eventually([&] { return queue.length() == 1; }));
    workers.remove("w");
    EXPECT_EQ(waiting.get().error().code, "no_worker");
}

TEST_F(CatalogRemoteDraws, ItEndsAtTheDeadline)
{
    add_worker("w");
    auto draws = drawing({.deadline = 30ms, .poll = 5ms});
    const auto late = draws.draw(order("a"), "hash");
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, "not_drawn");
    EXPECT_EQ(late.error().kind, Errc::unavailable);
    EXPECT_GT(late.error().retry_after_s, 0u);
}

TEST_F(CatalogRemoteDraws, ItEndsWhenTheClientHasLeft)
{
    add_worker("w");
    auto draws = drawing();
    std::stop_source stop;
    auto waiting = std::async(std::launch::async, [&] {
        const StopScope scope(stop.get_token());
        return draws.draw(order("a"), "hash");
    });
    EXPECT_TRUE(eventually([&] { return queue.length() == 1; }));
    stop.request_stop();
    EXPECT_THROW(waiting.get(), Stopped);
}

TEST_F(CatalogRemoteDraws, TooManyWaitingRequestsAreRejected)
{
    add_worker("w");
    auto draws = drawing({.max_waiting = 0});
    EXPECT_EQ(draws.draw(order("a"), "hash").error().code, "render_queue_full");
}

TEST_F(CatalogRemoteDraws, EqualRequestsAreDrawnOnce)
{
    std::atomic<int> drawn = 0;
    std::promise<void> go;
    const auto start = go.get_future().share();
    const auto worker = start_worker("w", [&](const std::string&) {
        ++drawn;
        start.wait();
        return DrawOutcome{.body = "once"};
    });
    auto draws = drawing();
    std::vector<std::future<Result<DrawOutcome>>> all;
    for (int i = 0; i < 4; ++i)
        all.push_back(std::async(std::launch::async, [&] { return draws.draw(order("a"), "hash"); }));
    EXPECT_TRUE(eventually([&] { return drawn == 1; }));
    go.set_value();
    for (auto& one : all)
        EXPECT_EQ(one.get()->body, "once");
    EXPECT_EQ(drawn, 1);
}

TEST_F(CatalogRemoteDraws, AStoppedWorkerLeavesItsRequestToAnother)
{
    std::atomic<bool> began = false;
    auto first = start_worker("w1", [&](const std::string&) -> DrawOutcome {
        began = true;
        for (;;) {
            check_stop();
            std::this_thread::sleep_for(1ms);
        }
    });
    auto draws = drawing();
    auto waiting = std::async(std::launch::async, [&] { return draws.draw(order("a"), "hash"); });
    EXPECT_TRUE(eventually([&] { return began.load(); }));
    EXPECT_EQ(first->running(), 1u);
    first->stop();
    EXPECT_EQ(first->running(), 0u);
    const auto second = start_worker("w2", [](const std::string&) { return DrawOutcome{.body = "second"}; });
    EXPECT_EQ(waiting.get()->body, "second");
}

TEST_F(CatalogRemoteDraws, AnAnswerThatThrowsIsAProblem)
{
    const auto worker =
        start_worker("w", [](const std::string&) -> DrawOutcome { throw std::runtime_error("a bug"); });
    auto draws = drawing();
    const auto outcome = draws.draw(order("a"), "hash").value();
    EXPECT_EQ(outcome.status, 500);
    EXPECT_TRUE(outcome.body.contains("internal"));
}

} // namespace
} // namespace vitrine::server::testing
