// Live previews that a process without a device opens at workers: both are the whole server here, over one
// set of services.

#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include "server/link/link_pool.hpp"
#include "server/net/async.hpp"
#include "server/net/listener.hpp"
#include "tests/support/eventually.hpp"
#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;

// A worker with its own limit of viewers, over the services of the test.
class LinkedServer {
public:
    LinkedServer(Context shared, std::size_t max_viewers, std::string secret) : context_(std::move(shared))
    {
        context_.limits.max_viewers = max_viewers;
        context_.link_secret = std::move(secret);
        listener_.start();
        thread_ = std::jthread([this] { threads_.run(); });
    }
    ~LinkedServer() { stop(); }
    LinkedServer(const LinkedServer&) = delete;
    LinkedServer& operator=(const LinkedServer&) = delete;

    void stop()
    {
        if (!thread_.joinable()) return;
        listener_.stop([this] { threads_.finish(); });
        thread_.join();
    }
    std::string url() const { return listener_.endpoints().at(0).url(); }
    std::size_t connections() const { return listener_.connections(); }

private:
    Context context_;
    Dispatcher dispatcher_{
        context_, {all_routes(), page_route()}, Guard(GuardConfig{}), 16, [](const LogLine&) {}};
    NetLimits limits_;
    WorkPool work_{1, 8};
    IoThreads threads_{1};
    Listener listener_{threads_, std::array{Endpoint{.host = "127.0.0.1"}}, dispatcher_, limits_, work_,
                       nullptr};
    std::jthread thread_;
};

class LinkedPreviewTest : public HandlerTest {
protected:
    LinkedPreviewTest() { context.links = &pool; }
    ~LinkedPreviewTest() override
    {
        pool.stop();
        links.finish();
    }

    LinkedServer& add_worker(std::size_t max_viewers = 32, const std::string& secret = "secret")
    {
        auto shared = context;
        shared.links = nullptr;
        auto& worker = workers.emplace_back(std::make_unique<LinkedServer>(shared, max_viewers, secret));
        targets.push_back({"w" + std::to_string(workers.size()), worker->url()});
        return *worker;
    }
    Answered open(const std::string& asset, bool upgrade = true)
    {
        Fields fields;
        if (upgrade) fields = websocket("vitrine.preview.v1");
        return get("/v1/assets/" + asset + "/preview", fields);
    }
    static std::unique_ptr<WebSocketSession> session_of(Answered& answered)
    {
        auto* const session = std::get_if<std::unique_ptr<WebSocketSession>>(&answered.response.body);
        if (session == nullptr) return nullptr;
        (*session)->start(answered.io->get_executor());
        return std::move(*session);
    }
    // Returns the next message, a text or the close as "CODE reason".
    static std::string next(asio::io_context& io, WebSocketSession& session)
    {
        std::string text;
        asio::co_spawn(
            io, [&] { return session.next(); },
            [&](const std::exception_ptr&, const WebSocketMessage& message) {
                if (const auto* found = std::get_if<WebSocketText>(&message)) text = found->text;
                if (const auto* close = std::get_if<WebSocketClose>(&message))
                    text = std::to_string(close->code) + " " + close->reason;
            });
        const auto end = std::chrono::steady_clock::now() + test::wait_timeout;
        while (text.empty() && std::chrono::steady_clock::now() < end) {
            io.restart();
            io.run_for(1ms);
        }
        return text;
    }

    std::vector<LinkTarget> targets; // in the order of preference
    IoThreads links{1};
    LinkPool pool{links.context(0).get_executor(),
                  {.secret = "secret", .find = [this](const std::string&) { return targets; }},
                  registry};
    std::vector<std::unique_ptr<LinkedServer>> workers;
    std::jthread links_thread{[this] { links.run(); }};
};

TEST_F(LinkedPreviewTest, IsOpenedAtTheWorker)
{
    auto& worker = add_worker();
    const auto asset = imported("c_cube.obj");
    auto first = open(asset), second = open(asset);
    ASSERT_EQ(first.status(), 101);
    ASSERT_EQ(second.status(), 101);
    auto session = session_of(first);
    ASSERT_TRUE(session);
    EXPECT_EQ(session->protocol(), "vitrine.preview.v1");
    EXPECT_TRUE(next(*first.io, *session).starts_with(R"({"type":"hello","protocol":"vitrine.preview.v1")"));
    EXPECT_EQ(viewers, 2u) << "they count at the worker";
    EXPECT_EQ(worker.connections(), 1u) << "and share a link";
    session->receive("nonsense");
    EXPECT_TRUE(next(*first.io, *session).contains("bad_message"));
    session->receive_binary("x");
    EXPECT_EQ(next(*first.io, *session), "1008 binary messages are not part of the protocol");
    session->disconnect();
    EXPECT_TRUE(test::eventually([&] { return viewers == 1u; }));
    second = {};
    EXPECT_TRUE(test::eventually([&] { return viewers == 0u; })) << "of a socket that was never made";
}

TEST_F(LinkedPreviewTest, RejectionsAreThoseOfOneProcess)
{
    EXPECT_EQ(open("as_none").code(), "no_asset");
    const auto asset = imported("c_cube.obj");
    const auto none = open(asset);
    EXPECT_EQ(none.status(), 503);
    EXPECT_EQ(none.code(), "no_device");
    EXPECT_EQ(none.header("Retry-After"), "5");
    add_worker(0);
    const auto full = open(asset);
    EXPECT_EQ(full.status(), 503);
    EXPECT_EQ(full.code(), "too_many_viewers");
    EXPECT_EQ(full.header("Retry-After"), "5");
    add_worker(1);
    EXPECT_EQ(open(asset, false).code(), "websocket_required") << "the second worker has room";
    EXPECT_TRUE(test::eventually([&] { return viewers == 0u; }));
    EXPECT_EQ(get("/v1/assets/" + asset + "/preview?x=1").code(), "bad_query");
}

TEST_F(LinkedPreviewTest, RowsAreShownByAWorkerToo)
{
    const auto a = imported("c_cube.obj"), b = imported("a_cube.obj");
    const auto row = "/v1/preview?asset=" + a + "&asset=" + b;
    EXPECT_EQ(get(row).code(), "no_device");
    add_worker();
    EXPECT_EQ(get(row).code(), "websocket_required") << "it would be accepted";
    auto answered = get(row + "&sizes=equal", websocket("vitrine.preview.v1"));
    ASSERT_EQ(answered.status(), 101);
    auto session = session_of(answered);
    ASSERT_TRUE(session);
    EXPECT_TRUE(next(*answered.io, *session).contains(R"("asset":null)"));
    const auto places = next(*answered.io, *session);
    EXPECT_TRUE(places.contains(R"("type":"row")")) << places;
    EXPECT_TRUE(places.contains("&sizes=equal")) << places;
    session->receive(R"({"type":"view","row":"asset=none"})");
    EXPECT_TRUE(next(*answered.io, *session).contains("There is no asset none."));
    session->receive(R"({"type":"view","row":"asset=)" + a + R"(&x=1"})");
    auto why = next(*answered.io, *session);
    for (int i = 0; i < 3 && !why.contains("problem"); ++i) // frames of the first view
        why = next(*answered.io, *session);
    EXPECT_TRUE(why.contains("/query/x")) << why;
    session->disconnect();
    EXPECT_TRUE(test::eventually([&] { return viewers == 0u; }));
    EXPECT_EQ(get("/v1/preview").code(), "bad_query");
    EXPECT_EQ(get("/v1/preview?asset=none").code(), "no_asset");
    EXPECT_EQ(get(row + "&1.clip=run").code(), "no_clip") << "which the worker finds";
}

TEST_F(LinkedPreviewTest, NextWorkerIsUsedWhenOneIsGone)
{
    auto& first = add_worker();
    add_worker();
    const auto asset = imported("c_cube.obj");
    auto answered = open(asset);
    auto session = session_of(answered);
    ASSERT_TRUE(session);
    EXPECT_TRUE(next(*answered.io, *session).contains("hello"));
    first.stop();
    EXPECT_EQ(next(*answered.io, *session), "1012 the worker is gone; connect again");
    auto again = open(asset);
    ASSERT_EQ(again.status(), 101) << "at the second worker, although the first is still listed";
    const auto next_session = session_of(again);
    EXPECT_TRUE(next(*again.io, *next_session).contains("hello"));
    EXPECT_EQ(workers[1]->connections(), 1u);
}

TEST_F(LinkedPreviewTest, WorkerWithAnotherSecretIsNotUsed)
{
    add_worker(32, "another secret");
    const auto asset = imported("c_cube.obj");
    EXPECT_EQ(open(asset).code(), "no_device");
    EXPECT_EQ(viewers, 0u);
}

TEST_F(LinkedPreviewTest, LinksNeedTheirProtocolAndNoProxy)
{
    EXPECT_EQ(get("/internal/link").code(), "websocket_required");
    auto fields = websocket("vitrine.preview.v1");
    EXPECT_EQ(get("/internal/link", fields).code(), "unknown_protocol");
    fields = websocket("vitrine.link.v1");
    EXPECT_EQ(get("/internal/link", fields).status(), 101);
    fields.emplace_back("X-Forwarded-For", "192.0.2.1");
    EXPECT_EQ(get("/internal/link", fields).code(), "token_required_behind_proxy") << "without a secret";
    context.link_secret = "secret";
    EXPECT_EQ(get("/internal/link", fields).status(), 101) << "the peer must prove that it knows it";
    fields.emplace_back("Origin", "http://evil.example");
    EXPECT_EQ(get("/internal/link", fields).code(), "foreign_origin");
}

} // namespace
} // namespace vitrine::server::testing
