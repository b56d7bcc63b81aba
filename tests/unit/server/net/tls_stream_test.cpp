// Connections over TLS: their handshake, responses of every kind, slow and impolite peers.

#include "server/net/transport/stream.hpp"

#include <csignal>
#include <fstream>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <fcntl.h>
#include <gtest/gtest.h>

#include "server/net/connection.hpp"
#include "server/net/socket_writer.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/unit/server/net/loopback_pair.hpp"
#include "tests/unit/server/net/tls_ends.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

// Answers with the facts of the connection, or a body of the length that the path asks for.
class Facts final : public HttpHandler {
public:
    asio::awaitable<Response> handle(Request& request, BodySource& body) override
    {
        std::size_t bytes = 0;
        for (auto piece = co_await body.next(); !piece.empty(); piece = co_await body.next())
            bytes += piece.size();
        const auto length = std::stoul("0" + request.target.path.substr(1));
        auto text = length > 0
                        ? std::string(length, 'x')
                        : fmt::format("{} {} {} {}", request.tls ? request.tls->version : "plain",
                                      request.tls ? request.tls->server_name : "", request.peer->text, bytes);
        co_return text_response(200, "text/plain", std::move(text));
    }
    Response reject(int status, std::string_view) override { return {.status = status}; }
    CacheHit find_cached(const Request& request, std::string_view target) override
    {
        if (target != "/cached" || !request.tls) return {};
        return {.response = cached, .id = make_request_id()};
    }

    SharedCachedResponse cached = std::make_shared<CachedResponse>(
        CachedResponse{.head = "HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n",
                       .unchanged_head = "",
                       .etag = "",
                       .content = std::string(300'000, 'c')});
};

class TlsStreamTest : public ::testing::Test {
protected:
    TlsStreamTest() { std::signal(SIGPIPE, SIG_IGN); } // as the server does; the clients need it too
    void start()
    {
        auto socket = ends.take_socket();
        ends.watch(socket.native_handle());
        Stream stream(std::move(socket), context);
        connection = make_connection(std::move(stream), handler, limits, work);
        asio::co_spawn(
            ends.io,
            [this]() -> asio::awaitable<void> {
                failure = co_await connection->handshake();
                if (failure.empty()) co_await connection->run();
                ended = true;
            },
            [this](const std::exception_ptr&) { ends.io.stop(); });
        thread = std::jthread([this] { ends.io.run_for(test::wait_timeout); });
    }
    void finish()
    {
        ends.peer.close();
        if (thread.joinable()) thread.join();
    }
    void TearDown() override { finish(); }
    std::string head_of(TlsClient& client)
    {
        std::string head;
        while (!head.ends_with("\r\n\r\n")) {
            const auto byte = client.read(1);
            if (byte.empty()) break;
            head += byte;
        }
        return head;
    }
    static std::string get(std::string_view path)
    {
        return fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
    }

    test::TempDir folder;
    std::shared_ptr<const TlsContext> context = make_context(folder.path());
    NetLimits limits;
    WorkPool work{1, 8};
    Facts handler;
    LoopbackPair ends{1 << 16};
    std::shared_ptr<Connection> connection;
    std::string failure;
    bool ended = false;
    std::jthread thread;
};

TEST_F(TlsStreamTest, RequestsKnowTheirTransport)
{
    limits.hsts_seconds = 60;
    start();
    TlsClient client(ends.peer.native_handle());
    ASSERT_TRUE(client.handshake());
    const std::string body(100'000, 'b');
    ASSERT_TRUE(client.write(fmt::format("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{}",
                                         body.size(), body)));
    const auto head = head_of(client);
    EXPECT_NE(head.find("Strict-Transport-Security: max-age=60\r\n"), head.npos) << head;
    EXPECT_EQ(client.read(), "TLSv1.3 models.example 127.0.0.1 100000");
    EXPECT_EQ(connection->peer()->text, "127.0.0.1");
}

// The server's end waits for the peer when this much is unread.
constexpr std::size_t full_socket = 1 << 15;

TEST_F(TlsStreamTest, LargeAndCachedResponsesAreComplete)
{
    limits.hsts_seconds = 60;
    start();
    TlsClient client(ends.peer.native_handle());
    ASSERT_TRUE(client.handshake());
    for (int round = 0; round < 3; ++round) {
        ASSERT_TRUE(client.write(get("/200001") + get("/cached")));
        EXPECT_TRUE(head_of(client).starts_with("HTTP/1.1 200"));
        EXPECT_TRUE(client.read_exactly(200'001) == std::string(200'001, 'x'));
        EXPECT_TRUE(test::eventually([&] { return ends.unread() >= full_socket; }));
        const auto head = head_of(client);
        EXPECT_NE(head.find("Strict-Transport-Security: max-age=60\r\n"), head.npos) << head;
        EXPECT_TRUE(client.read_exactly(300'000) == std::string(300'000, 'c'));
    }
}

TEST_F(TlsStreamTest, EndsWithACloseMessage)
{
    start();
    TlsClient client(ends.peer.native_handle());
    ASSERT_TRUE(client.handshake());
    ASSERT_TRUE(client.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
    EXPECT_NE(head_of(client).find("Connection: close"), std::string::npos);
    EXPECT_FALSE(client.read().empty());
    EXPECT_EQ(client.read(), "");
    EXPECT_NE(SSL_get_shutdown(client.ssl()) & SSL_RECEIVED_SHUTDOWN, 0);
}

TEST_F(TlsStreamTest, TimeLimitsHold)
{
    limits.header_time = 1s;
    limits.body_time = 1s;
    start();
    TlsClient client(ends.peer.native_handle());
    ASSERT_TRUE(client.handshake());
    ASSERT_TRUE(client.write("GET / HT"));
    EXPECT_TRUE(head_of(client).starts_with("HTTP/1.1 408"));
    finish();
}

TEST_F(TlsStreamTest, PeerThatDoesNotReadIsDisconnected)
{
    limits.body_time = 1s;
    start();
    TlsClient client(ends.peer.native_handle());
    ASSERT_TRUE(client.handshake());
    ASSERT_TRUE(client.write(get("/20000000")));
    thread.join(); // the connection ends by itself
    EXPECT_TRUE(ended);
}

TEST_F(TlsStreamTest, SilentHandshakeEnds)
{
    limits.handshake_time = 1s;
    start();
    ends.send("\x16\x03");
    EXPECT_EQ(ends.read(1), "");
    finish();
    EXPECT_EQ(failure, "it took too long");
}

TEST_F(TlsStreamTest, HttpWithoutTlsGets400)
{
    start();
    ends.send(get("/"));
    EXPECT_TRUE(ends.read_head().starts_with("HTTP/1.1 400 Bad Request\r\n"));
    EXPECT_EQ(ends.read(100), "This port speaks HTTPS.\n");
    finish();
    EXPECT_EQ(failure, "the peer speaks HTTP without TLS");
}

TEST_F(TlsStreamTest, StopEndsAHandshake)
{
    start();
    ends.send("\x16\x03");
    ASSERT_TRUE(test::eventually([&] { return ends.is_consumed(); })) << "the handshake waits for more";
    connection->stop();
    EXPECT_EQ(ends.read(1), "");
    finish();
    EXPECT_FALSE(failure.empty());
}

// A peer that reads nothing while it makes the server send messages of the protocol.
TEST_F(TlsStreamTest, UnreadKeyUpdatesEndTheConnection)
{
    limits.idle_time = 60s;
    start();
    TlsClient client(ends.peer.native_handle());
    ASSERT_TRUE(client.handshake());
    bool is_open = true;
    for (int i = 0; is_open && i < 2'000'000; ++i)
        is_open = SSL_key_update(client.ssl(), SSL_KEY_UPDATE_REQUESTED) == 1 && client.handshake();
    EXPECT_FALSE(is_open);
}

// Nothing is answered, and no byte of a request arrives.
TEST_F(TlsStreamTest, EndlessKeyUpdatesEndTheConnection)
{
    limits.idle_time = 60s;
    start();
    TlsClient client(ends.peer.native_handle());
    ASSERT_TRUE(client.handshake());
    const auto update = [&](int times) {
        bool is_open = true;
        for (int i = 0; is_open && i < times; ++i)
            is_open = SSL_key_update(client.ssl(), SSL_KEY_UPDATE_NOT_REQUESTED) == 1 && client.handshake();
        return is_open;
    };
    for (int round = 0; round < 3; ++round) { // more than the limit, with requests between
        ASSERT_TRUE(update(5'000));
        ASSERT_TRUE(client.write(get("/")));
        EXPECT_TRUE(head_of(client).starts_with("HTTP/1.1 200"));
        EXPECT_FALSE(client.read().empty());
    }
    EXPECT_FALSE(update(2'000'000));
}

TEST_F(TlsStreamTest, FilesArriveWhole)
{
    std::string text;
    for (int i = 0; text.size() < 300'000; ++i)
        text += std::to_string(i);
    const auto path = folder.path() / "file";
    std::ofstream(path) << text;
    const FileSlice slice{std::make_shared<OpenFile>(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), 7,
                          text.size() - 7};
    Stream stream(ends.take_socket(), context);
    SocketDeadline deadline(stream);
    SocketWriter writer(stream, deadline, limits, work);
    std::optional<bool> sent;
    asio::co_spawn(
        ends.io,
        [&]() -> asio::awaitable<bool> {
            const auto wrong = co_await stream.handshake();
            EXPECT_EQ(wrong, "");
            co_return co_await writer.write("head", "body") && co_await writer.write(slice);
        },
        [&](const std::exception_ptr&, bool good) {
            sent = good;
            ends.io.stop();
        });
    thread = std::jthread([this] { ends.io.run_for(test::wait_timeout); });
    TlsClient client(ends.peer.native_handle());
    ASSERT_TRUE(client.handshake());
    EXPECT_EQ(client.read_exactly(8), "headbody");
    EXPECT_TRUE(client.read_exactly(text.size() - 7) == text.substr(7));
    finish();
    EXPECT_EQ(sent, true);
}

} // namespace
} // namespace vitrine::server
