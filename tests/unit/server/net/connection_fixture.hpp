#pragma once
// A connection whose other end is the test.

#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaders/base/ascii.hpp"
#include "server/net/connection.hpp"
#include "tests/support/eventually.hpp"
#include "tests/unit/server/net/loopback_pair.hpp"

namespace vitrine::server {

// Answers 200 with the number of bytes that it has read of the body.
class BodyCounter final : public HttpHandler {
public:
    explicit BodyCounter(bool reads) : reads_(reads) {}
    asio::awaitable<Response> handle(Request&, BodySource& body) override
    {
        std::size_t bytes = 0;
        while (reads_) {
            const auto piece = co_await body.next();
            if (piece.empty()) break;
            bytes += piece.size();
        }
        Response response{.status = 200};
        response.body = std::to_string(bytes);
        co_return response;
    }
    Response reject(int status, std::string_view) override { return {.status = status}; }

private:
    bool reads_;
};

class HttpConnectionTest : public ::testing::Test {
protected:
    void open(HttpHandler& handler)
    {
        connection = make_connection(std::move(pair.server), handler, limits, work);
        asio::co_spawn(pair.io, connection->run(), [](const std::exception_ptr&) {});
        thread = std::jthread([this] { pair.io.run_for(test::wait_timeout); });
    }
    void send_head(std::size_t length, std::string_view field = "")
    {
        pair.send(
            fmt::format("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n{}\r\n", length, field));
    }
    static bool closes(std::string_view head)
    {
        return ascii::lower(head).find("connection: close") != std::string::npos;
    }

    LoopbackPair pair;
    NetLimits limits;
    WorkPool work{1, 8};
    std::shared_ptr<Connection> connection;
    std::jthread thread;
};

class InvalidRequests : public HttpConnectionTest {
protected:
    // Returns the status of the response, after which the connection ends.
    std::string status_of(std::string_view request)
    {
        open(handler_);
        pair.send(request);
        const auto head = pair.read_head();
        EXPECT_TRUE(closes(head)) << head;
        EXPECT_EQ(pair.read(1), "");
        pair.peer.close();
        return head.substr(0, head.find(' ', 9));
    }

private:
    BodyCounter handler_{true};
};

} // namespace vitrine::server
