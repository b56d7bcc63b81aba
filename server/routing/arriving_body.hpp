#pragma once
// Counts requests that are worked on and requests whose bodies arrive, each with a limit of its own.

#include <atomic>
#include <cstddef>

#include "server/net/stream_body.hpp"

namespace vitrine::server {

struct InFlight {
    std::atomic<std::size_t>& count;
    explicit InFlight(std::atomic<std::size_t>& counter) : count(counter) { ++count; }
    ~InFlight() { --count; }
};

// Counts a request as arriving while it waits for its body.
class ArrivingBody final : public BodySource {
public:
    ArrivingBody(BodySource& body, std::atomic<std::size_t>& in_flight, std::atomic<std::size_t>& arriving)
        : body_(body), in_flight_(in_flight), arriving_(arriving)
    {
    }
    asio::awaitable<std::span<const std::byte>> next() override
    {
        if (body_.has_arrived()) co_return co_await body_.next();
        const InFlight waiting(arriving_);
        const Pause pause(in_flight_);
        co_return co_await body_.next();
    }
    bool has_arrived() const override { return body_.has_arrived(); }
    std::string_view trailer(std::string_view name) const override { return body_.trailer(name); }

private:
    struct Pause {
        std::atomic<std::size_t>& count;
        explicit Pause(std::atomic<std::size_t>& counter) : count(counter) { --count; }
        ~Pause() { ++count; }
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;
    };

    BodySource& body_;
    std::atomic<std::size_t>& in_flight_;
    std::atomic<std::size_t>& arriving_;
};

} // namespace vitrine::server
