#pragma once
// Both ends of a link in memory: what one sends, the other receives, without sockets.

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "server/link/link_client.hpp"
#include "server/link/link_server.hpp"
#include "tests/support/eventually.hpp"

namespace vitrine::server::testing {

inline std::string joined(const WebSocketMessage& message)
{
    if (const auto* text = std::get_if<WebSocketText>(&message)) return text->text;
    std::string all;
    if (const auto* binary = std::get_if<WebSocketBinary>(&message))
        for (const auto& part : {binary->head, binary->payload})
            all.append(reinterpret_cast<const char*>(part->data()), part->size());
    return all;
}

inline WebSocketBinary binary_of(std::size_t size)
{
    return {std::make_shared<const std::vector<std::byte>>(64, std::byte{1}),
            std::make_shared<const std::vector<std::byte>>(size, std::byte{2})};
}

// What a preview of the worker does. Shared with the test.
struct FakePreview {
    std::vector<std::string> received;
    std::vector<WebSocketMessage> to_send; // from the front
    std::size_t repeat = 0;                // then this many images of 100 KB
    std::size_t sent = 0;
    bool is_gone = false;
    std::optional<Signal> wake;

    void say(WebSocketMessage message)
    {
        to_send.push_back(std::move(message));
        if (wake) wake->notify();
    }
};

class FakePreviewSession final : public WebSocketSession {
public:
    explicit FakePreviewSession(std::shared_ptr<FakePreview> state) : state_(std::move(state)) {}
    std::string_view protocol() const override { return "fake"; }
    void start(asio::any_io_executor strand) override { state_->wake.emplace(strand); }
    void receive(std::string_view text) override { state_->received.emplace_back(text); }
    void receive_binary(std::string_view) override { state_->say(WebSocketClose{1008, "binary"}); }
    asio::awaitable<WebSocketMessage> next() override
    {
        const auto state = state_;
        for (;;) {
            if (state->is_gone) co_return WebSocketClose{1001, ""};
            if (!state->to_send.empty()) {
                auto message = std::move(state->to_send.front());
                state->to_send.erase(state->to_send.begin());
                ++state->sent;
                co_return message;
            }
            if (state->repeat > 0) {
                --state->repeat;
                ++state->sent;
                co_return binary_of(100'000);
            }
            co_await state->wake->wait(std::chrono::steady_clock::time_point::max());
        }
    }
    void stop() override { disconnect(); }
    void disconnect() override
    {
        state_->is_gone = true;
        if (state_->wake) state_->wake->notify();
    }

private:
    std::shared_ptr<FakePreview> state_;
};

// A viewer that holds the messages until it is told to read them.
struct FakeViewer final : public LinkedViewer {
    void accepted() override { is_accepted = true; }
    void rejected(const api::Problem& why) override { problem = why; }
    void receive(StreamMessage message) override { messages.push_back(std::move(message)); }
    void closed(const WebSocketClose& why) override { close = why; }
    void lost() override { is_lost = true; }

    bool is_accepted = false;
    std::optional<api::Problem> problem;
    std::vector<StreamMessage> messages;
    std::optional<WebSocketClose> close;
    bool is_lost = false;
};

struct LinkEnds {
    explicit LinkEnds(LinkClient::Times times = {}, std::string client_secret = "secret",
                      std::size_t max_streams = 8)
        : client(std::make_shared<LinkClient>(io.get_executor(), std::move(client_secret), times))
    {
        server = make_link_server({.secret = "secret",
                                   .peer = "test",
                                   .open = [this](StreamOpen open) { return open_preview(std::move(open)); },
                                   .max_streams = max_streams});
    }

    asio::awaitable<OpenedPreview> open_preview(StreamOpen open)
    {
        opened.push_back(open);
        if (open.asset == "missing")
            co_return std::unexpected(api::Problem{.status = 404, .code = "not_found", .detail = "No."});
        if (open.asset == "broken") throw std::runtime_error("broken");
        if (open.asset == "hung") {
            asio::steady_timer never(io, std::chrono::steady_clock::time_point::max());
            co_await never.async_wait(asio::use_awaitable);
        }
        previews.push_back(std::make_shared<FakePreview>());
        previews.back()->repeat = open.asset == "fast" ? 1000 : 0;
        co_return std::make_unique<FakePreviewSession>(previews.back());
    }

    static asio::awaitable<void> carry(WebSocketSession& from, WebSocketSession& to,
                                       std::optional<WebSocketClose>& close)
    {
        for (;;) {
            const auto message = co_await from.next();
            if (const auto* end = std::get_if<WebSocketClose>(&message)) {
                close = *end;
                to.disconnect();
                co_return;
            }
            to.receive_binary(joined(message));
        }
    }

    void start()
    {
        client->begin();
        client->start(io.get_executor());
        server->start(io.get_executor());
        asio::co_spawn(io, carry(*server, *client, server_close), asio::detached);
        asio::co_spawn(io, carry(*client, *server, client_close), asio::detached);
    }
    // Runs what is ready; returns whether `done` holds.
    bool run_until(const std::function<bool()>& done)
    {
        const auto end = std::chrono::steady_clock::now() + test::wait_timeout;
        while (!done() && std::chrono::steady_clock::now() < end) {
            io.restart();
            io.run_for(std::chrono::milliseconds(1));
        }
        return done();
    }
    std::pair<std::uint32_t, std::shared_ptr<FakeViewer>> view(const std::string& asset)
    {
        auto viewer = std::make_shared<FakeViewer>();
        const auto stream = client->open({.asset = asset}, viewer);
        return {stream, viewer};
    }

    asio::io_context io;
    std::shared_ptr<LinkClient> client;
    std::unique_ptr<WebSocketSession> server;
    std::vector<StreamOpen> opened;
    std::vector<std::shared_ptr<FakePreview>> previews; // in the order of their opening
    std::optional<WebSocketClose> server_close, client_close;
};

} // namespace vitrine::server::testing
