// Connections to another process: TCP, TLS with the verification of its certificate, silent peers.

#include "server/net/transport/connect.hpp"

#include <array>
#include <cerrno>
#include <future>
#include <system_error>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include "server/net/listener.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/unit/server/net/tls_ends.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

class EmptyHandler final : public HttpHandler {
public:
    asio::awaitable<Response> handle(Request&, BodySource&) override
    {
        co_return text_response(200, "text/plain", "");
    }
    Response reject(int status, std::string_view) override { return {.status = status}; }
};

// A server with TLS whose certificate is one of "localhost".
class ConnectTest : public ::testing::Test {
protected:
    ConnectTest() { listener.start(); }
    ~ConnectTest() override
    {
        listener.stop([this] { threads.finish(); });
        clients.finish();
    }

    // Returns what is wrong, or the status line of a response.
    std::string fetch(const std::string& address, const std::filesystem::path& authorities,
                      std::chrono::milliseconds limit = 30s)
    {
        const auto ask = [&]() -> asio::awaitable<std::string> {
            auto stream = co_await connect_stream(address, authorities, limit);
            if (!stream) co_return stream.error();
            constexpr std::string_view request =
                "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            co_await stream->async_write_some(asio::buffer(request), asio::use_awaitable);
            std::array<char, 15> line{};
            co_await stream->async_read_some(asio::buffer(line), asio::use_awaitable);
            co_return std::string(line.data(), line.size());
        };
        return asio::co_spawn(clients.context(0), ask, asio::use_future).get();
    }
    std::string address(std::string_view scheme, std::string_view host) const
    {
        return fmt::format("{}://{}:{}", scheme, host, listener.endpoints().at(0).port);
    }

    const test::TempDir folder;
    const TlsFiles files = make_certificate(folder.path(), "localhost");
    prometheus::Registry registry;
    TlsCertificates certificates{files, [](TlsCertificates::Severity, const std::string&) {}};
    TlsHandshakes handshakes{registry, [](const std::string&) {}};
    TlsServer tls{certificates, handshakes};
    EmptyHandler handler;
    NetLimits limits;
    WorkPool work{1, 8};
    IoThreads threads{1}, clients{1};
    Listener listener{threads, std::array{Endpoint{.host = "127.0.0.1", .tls = true}}, handler, limits, work,
                      &tls};
    std::jthread server{[this] { threads.run(); }};
    std::jthread client{[this] { clients.run(); }};
};

TEST_F(ConnectTest, VerifiesTheCertificate)
{
    EXPECT_EQ(fetch(address("https", "localhost"), files.certificate), "HTTP/1.1 200 OK");
    const auto other = make_certificate(folder.path(), "other");
    EXPECT_EQ(fetch(address("https", "localhost"), other.certificate),
              "the TLS handshake has failed: certificate verify failed");
    EXPECT_EQ(fetch(address("https", "localhost"), ""),
              "the TLS handshake has failed: certificate verify failed")
        << "of an authority that the system does not know";
    EXPECT_EQ(fetch(address("https", "127.0.0.1"), files.certificate),
              "the TLS handshake has failed: certificate verify failed")
        << "of another name";
    EXPECT_TRUE(fetch(address("https", "localhost"), folder.path() / "none").contains("cannot be read"));
}

TEST_F(ConnectTest, ReasonOfAFailureIsReported)
{
    asio::io_context io;
    asio::ip::tcp::acceptor silent(io, {asio::ip::address_v4::loopback(), 0});
    const auto port = silent.local_endpoint().port();
    EXPECT_EQ(fetch(fmt::format("https://localhost:{}", port), files.certificate, 500ms),
              "it does not answer");
    silent.close();
    EXPECT_EQ(fetch(fmt::format("http://127.0.0.1:{}", port), ""),
              std::generic_category().message(ECONNREFUSED));
    EXPECT_EQ(fetch("unix:/nowhere/socket", ""), "No such file or directory");
    EXPECT_TRUE(
        fetch("http://no-such-host.invalid:80", "").starts_with("no-such-host.invalid cannot be looked up"));
    for (const std::string text : {"", "http://", "ftp://a:1", "http://a:0", "http://a:99999", "a"})
        EXPECT_EQ(fetch(text, ""), text + " is no address of a server");
}

} // namespace
} // namespace vitrine::server
