// Links over sockets: one for each worker, and what becomes of previews when a worker is gone.

#include <algorithm>
#include <array>
#include <future>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include "server/link/link_pool.hpp"
#include "server/link/relayed_session.hpp"
#include "server/net/listener.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/unit/server/link/ends.hpp"
#include "tests/unit/server/net/tls_ends.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;

// A worker whose previews echo what they get.
class EchoPreview final : public WebSocketSession {
public:
    std::string_view protocol() const override { return "echo"; }
    void start(asio::any_io_executor strand) override { preview_->wake.emplace(strand); }
    void receive(std::string_view text) override { preview_->say(WebSocketText{std::string(text)}); }
    void receive_binary(std::string_view) override {}
    asio::awaitable<WebSocketMessage> next() override { return session_.next(); }
    void stop() override { session_.stop(); }
    void disconnect() override { session_.disconnect(); }

private:
    std::shared_ptr<FakePreview> preview_ = std::make_shared<FakePreview>();
    FakePreviewSession session_{preview_};
};

class EchoWorker final : public HttpHandler {
public:
    explicit EchoWorker(Endpoint endpoint, std::string secret = "secret", const TlsServer* tls = nullptr)
        : secret_(std::move(secret)),
          listener_(threads_, std::array{std::move(endpoint)}, *this, limits_, work_, tls)
    {
        listener_.start();
        thread_ = std::jthread([this] { threads_.run(); });
    }
    ~EchoWorker() override { stop(); }
    EchoWorker(const EchoWorker&) = delete;
    EchoWorker& operator=(const EchoWorker&) = delete;

    void stop()
    {
        if (!thread_.joinable()) return;
        listener_.stop([this] {
            hung_.reset();
            threads_.finish();
        });
        thread_.join();
    }
    asio::awaitable<Response> handle(Request& request, BodySource&) override
    {
        paths.push_back(request.target.path);
        Response response{.status = 101};
        response.body = make_link_server({.secret = secret_, .peer = "test", .open = [this](StreamOpen open) {
                                              return open_preview(std::move(open));
                                          }});
        co_return response;
    }
    Response reject(int status, std::string_view) override { return {.status = status}; }
    asio::awaitable<OpenedPreview> open_preview(StreamOpen open)
    {
        if (open.asset == "full")
            co_return std::unexpected(api::Problem{.status = 503, .code = "too_many_viewers"});
        if (open.asset == "hung") {
            hung_.emplace(threads_.context(0), std::chrono::steady_clock::time_point::max());
            co_await hung_->async_wait(asio::use_awaitable);
        }
        co_return std::make_unique<EchoPreview>();
    }
    LinkTarget target() const { return {"w", listener_.endpoints().at(0).url()}; }

    std::vector<std::string> paths; // of requests; on the thread of the worker

private:
    std::string secret_;
    NetLimits limits_;
    WorkPool work_{1, 8};
    IoThreads threads_{1};
    std::optional<asio::steady_timer> hung_; // of a preview that never opens
    Listener listener_;
    std::jthread thread_;
};

Endpoint any_port()
{
    return {.host = "127.0.0.1"};
}

// The pool, and viewers that wait as handlers do, on a thread of their own.
class LinkPoolTest : public ::testing::Test {
protected:
    ~LinkPoolTest() override
    {
        pool.stop();
        links.finish();
        viewers.finish();
    }
    RelayedPreview open(const LinkTarget& target, const std::string& asset = "as_1")
    {
        return asio::co_spawn(viewers.context(0), pool.open(target, {.asset = asset}), asio::use_future)
            .get();
    }
    std::unique_ptr<WebSocketSession> session(const LinkTarget& target)
    {
        auto opened = open(target);
        auto* const session = std::get_if<std::unique_ptr<WebSocketSession>>(&opened);
        if (session == nullptr) return nullptr;
        (*session)->start(viewers.context(0).get_executor());
        return std::move(*session);
    }
    WebSocketMessage next(WebSocketSession& session)
    {
        return asio::co_spawn(viewers.context(0), session.next(), asio::use_future).get();
    }
    // Returns the text with which the preview answers.
    std::string ask(WebSocketSession& session, const std::string& text)
    {
        asio::post(viewers.context(0), [&session, text] { session.receive(text); });
        return joined(next(session));
    }

    prometheus::Registry registry;
    IoThreads links{1}, viewers{1};
    LinkPool pool{links.context(0).get_executor(),
                  {.secret = "secret",
                   .find = [](const std::string&) { return std::vector<LinkTarget>{}; },
                   .times = {.ready = 500ms, .open = 400ms},
                   .first_pause = 100ms},
                  registry};
    std::jthread links_thread{[this] { links.run(); }};
    std::jthread viewers_thread{[this] { viewers.run(); }};
};

TEST_F(LinkPoolTest, PreviewsOfOneWorkerShareALink)
{
    EchoWorker worker(any_port());
    const auto a = session(worker.target()), b = session(worker.target());
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->protocol(), "vitrine.preview.v1");
    EXPECT_EQ(ask(*a, "one"), "one");
    EXPECT_EQ(ask(*b, "two"), "two");
    EXPECT_EQ(ask(*a, std::string(60'000, 'x')), std::string(60'000, 'x'));
    EXPECT_EQ(worker.paths, std::vector<std::string>{"/internal/link"});
}

TEST_F(LinkPoolTest, UnixSocketsCarryLinks)
{
    const test::TempDir folder;
    EchoWorker worker({.host = "", .socket_path = folder.path() / "socket"});
    const auto preview = session(worker.target());
    ASSERT_TRUE(preview);
    EXPECT_EQ(ask(*preview, "one"), "one");
}

TEST_F(LinkPoolTest, WorkersMayHaveTls)
{
    const test::TempDir folder;
    const auto files = make_certificate(folder.path(), "localhost");
    TlsCertificates certificates(files, [](TlsCertificates::Severity, const std::string&) {});
    TlsHandshakes handshakes(registry, [](const std::string&) {});
    const TlsServer tls{certificates, handshakes};
    EchoWorker worker({.host = "127.0.0.1", .tls = true}, "secret", &tls);
    const auto address = worker.target().address;
    const LinkTarget target{"w", "https://localhost" + address.substr(address.rfind(':'))};
    EXPECT_TRUE(std::holds_alternative<WorkerUnreachable>(open(target))) << "of an unknown authority";
    LinkPool trusting(links.context(0).get_executor(),
                      {.secret = "secret", .find = {}, .authorities = files.certificate}, registry);
    auto opened =
        asio::co_spawn(viewers.context(0), trusting.open(target, {.asset = "a"}), asio::use_future).get();
    auto* const preview = std::get_if<std::unique_ptr<WebSocketSession>>(&opened);
    ASSERT_TRUE(preview);
    (*preview)->start(viewers.context(0).get_executor());
    EXPECT_EQ(ask(**preview, std::string(50'000, 'x')), std::string(50'000, 'x'));
    trusting.stop();
}

TEST_F(LinkPoolTest, PreviewsCloseWhenTheWorkerIsGone)
{
    auto worker = std::make_unique<EchoWorker>(any_port());
    const auto target = worker->target();
    const auto preview = session(target);
    ASSERT_TRUE(preview);
    EXPECT_EQ(ask(*preview, "one"), "one");
    worker.reset();
    const auto message = next(*preview);
    const auto* const close = std::get_if<WebSocketClose>(&message);
    ASSERT_TRUE(close);
    EXPECT_EQ(close->code, 1012);
    EXPECT_TRUE(std::holds_alternative<WorkerUnreachable>(open(target)));
}

TEST_F(LinkPoolTest, WorkerThatComesBackIsUsedAgain)
{
    EchoWorker before(any_port());
    const auto target = before.target();
    ASSERT_TRUE(session(target));
    before.stop();
    EXPECT_TRUE(test::eventually([&] { return std::holds_alternative<WorkerUnreachable>(open(target)); }));
    EchoWorker again(parse_endpoint(target.address.substr(std::string_view("http://").size())).value());
    EXPECT_TRUE(test::eventually([&] { return session(target) != nullptr; }));
}

// A pause follows each failure: the address is not asked for every viewer.
TEST_F(LinkPoolTest, WorkerThatFailsIsNotTriedAtOnce)
{
    EchoWorker worker(any_port(), "another secret");
    int tries = 0;
    for (const auto until = std::chrono::steady_clock::now() + 350ms;
         std::chrono::steady_clock::now() < until; ++tries)
        EXPECT_TRUE(std::holds_alternative<WorkerUnreachable>(open(worker.target())));
    worker.stop();
    EXPECT_GT(tries, 10);
    EXPECT_LE(worker.paths.size(), 3u) << "at 0, 100 and 300 ms";
}

TEST_F(LinkPoolTest, SilentWorkerIsUnreachable)
{
    asio::io_context io;
    asio::ip::tcp::acceptor silent(io, {asio::ip::address_v4::loopback(), 0});
    const LinkTarget target{"silent", "http://127.0.0.1:" + std::to_string(silent.local_endpoint().port())};
    EXPECT_TRUE(std::holds_alternative<WorkerUnreachable>(open(target)));
    for (const auto* address : {"", "http://", "ftp://a:1", "http://127.0.0.1:0", "unix:/nowhere/socket"})
        EXPECT_TRUE(std::holds_alternative<WorkerUnreachable>(open({address, address}))) << address;
}

TEST_F(LinkPoolTest, RejectionOfTheWorkerArrives)
{
    EchoWorker worker(any_port());
    const auto opened = open(worker.target(), "full");
    ASSERT_TRUE(std::holds_alternative<api::Problem>(opened));
    EXPECT_EQ(std::get<api::Problem>(opened).code, "too_many_viewers");
}

// It has proved that it knows the secret, and answers pings.
TEST_F(LinkPoolTest, WorkerThatOpensNothingIsLeftForTheNext)
{
    EchoWorker worker(any_port()), next_worker(any_port());
    EXPECT_TRUE(std::holds_alternative<WorkerUnreachable>(open(worker.target(), "hung")));
    EXPECT_TRUE(std::holds_alternative<WorkerUnreachable>(open(worker.target()))) << "not at once again";
    EXPECT_TRUE(session({"next", next_worker.target().address}));
}

TEST_F(LinkPoolTest, AStopEndsWhatWaitsForAWorker)
{
    EchoWorker worker(any_port());
    const auto preview = session(worker.target());
    ASSERT_TRUE(preview);
    auto waiting =
        asio::co_spawn(viewers.context(0), pool.open(worker.target(), {.asset = "hung"}), asio::use_future);
    ASSERT_EQ(waiting.wait_for(100ms), std::future_status::timeout);
    pool.stop();
    EXPECT_TRUE(std::holds_alternative<WorkerUnreachable>(waiting.get()));
    EXPECT_EQ(std::get<WebSocketClose>(next(*preview)).code, 1001);
    EXPECT_TRUE(std::holds_alternative<WorkerUnreachable>(open(worker.target())));
}

// A session that is never started gives its place back.
TEST_F(LinkPoolTest, SessionMayBeDropped)
{
    EchoWorker worker(any_port());
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(std::holds_alternative<std::unique_ptr<WebSocketSession>>(open(worker.target())));
    const auto preview = session(worker.target());
    ASSERT_TRUE(preview);
    EXPECT_EQ(ask(*preview, "one"), "one");
    asio::post(viewers.context(0), [&preview] { preview->stop(); });
    EXPECT_EQ(std::get<WebSocketClose>(next(*preview)).code, 1001);
}

} // namespace
} // namespace vitrine::server::testing
