// A process that waits for images and workers that draw them, over one database.

#include "server/services/workers/remote_renderer.hpp"

#include <atomic>
#include <future>
#include <thread>

#include <gmock/gmock.h>

#include "loaders/base/stop.hpp"
#include "server/services/workers/render_worker.hpp"
#include "tests/support/eventually.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using test::eventually;

class CatalogRemoteRenders : public CatalogTest {
protected:
    void add_worker(const std::string& id, std::uint32_t slots = 2)
    {
        workers.put({.id = id, .name = "host:1", .role = "worker", .draw_slots = slots});
    }
    std::unique_ptr<RenderWorker> start_worker(const std::string& id, RenderWorker::Answer answer)
    {
        add_worker(id);
        auto worker = std::make_unique<RenderWorker>(queue, catalog.signals(), id, 2, std::move(answer),
                                                     [] { return true; });
        worker->start();
        return worker;
    }
    static RemoteRender remote_render(const std::string& id)
    {
        return {.id = id, .model = "model of " + id, .request = "draw " + id};
    }
    RemoteRenderer renderer(const RemoteRendererLimits& limits = {})
    {
        return RemoteRenderer(queue, workers, catalog.signals(), limits);
    }

    WorkerDirectory workers{catalog.connections(), {.max_silence = 1h, .cache = 0ms}};
    RenderQueue queue{catalog.connections()};
};

TEST_F(CatalogRemoteRenders, TheAnswerOfTheWorkerIsReturned)
{
    const auto worker = start_worker("w", [](const std::string& request) {
        return RemoteRenderResult{.content_type = "image/png", .body = "drawn: " + request};
    });
    auto remote = renderer({.poll = 60s}); // woken by signals alone
    const auto outcome = remote.draw(remote_render("a"), "hash").value();
    EXPECT_EQ(outcome.body, "drawn: draw a");
    EXPECT_EQ(outcome.content_type, "image/png");
}

TEST_F(CatalogRemoteRenders, AnotherImageThanWasAskedForIsAnError)
{
    const auto worker = start_worker("w", [](const std::string& request) {
        return RemoteRenderResult{.body = request, .etag = request.contains("new") ? "\"new\"" : "\"old\""};
    });
    auto remote = renderer();
    auto other = remote_render("other");
    other.etag = "\"new\"";
    const auto rejected = remote.draw(other, "hash");
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code, drawn_otherwise);
    EXPECT_EQ(rejected.error().kind, Errc::unavailable);
    auto same = remote_render("new");
    same.etag = "\"new\"";
    EXPECT_TRUE(remote.draw(same, "hash"));
    EXPECT_FALSE(remote.draw(remote_render("untagged"), "hash"))
        << "a worker that says more than was asked for";
}

TEST_F(CatalogRemoteRenders, WithoutAWorkerItFailsAtOnce)
{
    auto remote = renderer();
    const auto none = remote.draw(remote_render("a"), "hash");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, "no_worker");
    EXPECT_GT(none.error().retry_after_s, 0u);
    add_worker("w", 0); // has no device now
    EXPECT_EQ(remote.draw(remote_render("a"), "hash").error().code, "no_worker");
    EXPECT_EQ(queue.length(), 0u);
}

TEST_F(CatalogRemoteRenders, ItEndsWhenAllWorkersAreGone)
{
    add_worker("w");
    auto remote = renderer({.no_worker = 20ms, .poll = 5ms});
    auto waiting = std::async(std::launch::async, [&] { return remote.draw(remote_render("a"), "hash"); });
    EXPECT_TRUE(eventually([&] { return queue.length() == 1; }));
    workers.remove("w");
    EXPECT_EQ(waiting.get().error().code, "no_worker");
}

TEST_F(CatalogRemoteRenders, ItEndsAtTheDeadline)
{
    add_worker("w");
    auto remote = renderer({.deadline = 30ms, .poll = 5ms});
    const auto late = remote.draw(remote_render("a"), "hash");
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, "not_drawn");
    EXPECT_EQ(late.error().kind, Errc::unavailable);
    EXPECT_GT(late.error().retry_after_s, 0u);
}

TEST_F(CatalogRemoteRenders, ItEndsWhenTheClientHasLeft)
{
    add_worker("w");
    auto remote = renderer();
    std::stop_source stop;
    auto waiting = std::async(std::launch::async, [&] {
        const StopScope scope(stop.get_token());
        return remote.draw(remote_render("a"), "hash");
    });
    EXPECT_TRUE(eventually([&] { return queue.length() == 1; }));
    stop.request_stop();
    EXPECT_THROW(waiting.get(), Stopped);
}

TEST_F(CatalogRemoteRenders, TooManyWaitingRequestsAreRejected)
{
    add_worker("w");
    auto remote = renderer({.max_waiting = 0});
    EXPECT_EQ(remote.draw(remote_render("a"), "hash").error().code, "render_queue_full");
}

TEST_F(CatalogRemoteRenders, EqualRequestsAreDrawnOnce)
{
    std::atomic<int> drawn = 0;
    std::promise<void> go;
    const auto start = go.get_future().share();
    const auto worker = start_worker("w", [&](const std::string&) {
        ++drawn;
        start.wait();
        return RemoteRenderResult{.body = "once"};
    });
    auto remote = renderer();
    std::vector<std::future<Result<RemoteRenderResult>>> all;
    for (int i = 0; i < 4; ++i)
        all.push_back(
            std::async(std::launch::async, [&] { return remote.draw(remote_render("a"), "hash"); }));
    EXPECT_TRUE(eventually([&] { return drawn == 1; }));
    go.set_value();
    for (auto& one : all)
        EXPECT_EQ(one.get()->body, "once");
    EXPECT_EQ(drawn, 1);
}

TEST_F(CatalogRemoteRenders, AStoppedWorkerLeavesItsRequestToAnother)
{
    std::atomic<bool> began = false;
    auto first = start_worker("w1", [&](const std::string&) -> RemoteRenderResult {
        began = true;
        for (;;) {
            check_stop();
            std::this_thread::sleep_for(1ms);
        }
    });
    auto remote = renderer();
    auto waiting = std::async(std::launch::async, [&] { return remote.draw(remote_render("a"), "hash"); });
    EXPECT_TRUE(eventually([&] { return began.load(); }));
    EXPECT_EQ(first->running(), 1u);
    first->stop();
    EXPECT_EQ(first->running(), 0u);
    const auto second =
        start_worker("w2", [](const std::string&) { return RemoteRenderResult{.body = "second"}; });
    EXPECT_EQ(waiting.get()->body, "second");
}

TEST_F(CatalogRemoteRenders, AnAnswerThatThrowsIsAProblem)
{
    const auto worker = start_worker(
        "w", [](const std::string&) -> RemoteRenderResult { throw std::runtime_error("a bug"); });
    auto remote = renderer();
    const auto outcome = remote.draw(remote_render("a"), "hash").value();
    EXPECT_EQ(outcome.status, 500);
    EXPECT_TRUE(outcome.body.contains("internal"));
}

} // namespace
} // namespace vitrine::server::testing
