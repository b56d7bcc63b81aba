#pragma once
// A blocking connection to the loopback address.

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "tests/support/eventually.hpp"

namespace vitrine::test {

// Waits until the descriptor has bytes or its end, at most until `until`.
bool readable(int descriptor, std::chrono::steady_clock::time_point until);

class Socket {
public:
    explicit Socket(int port);
    ~Socket();
    Socket(Socket&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)), rest_(std::move(other.rest_))
    {
    }
    Socket& operator=(Socket&&) = delete;

    bool send(std::string_view bytes); // false: the peer has disconnected
    // Returns at least one byte; empty at the end, on an error or after `limit`.
    std::string receive(std::chrono::milliseconds limit = wait_timeout);
    std::string receive_until(std::string_view end,
                              std::chrono::milliseconds limit = wait_timeout); // includes `end`
    std::string receive_exactly(std::size_t count, std::chrono::milliseconds limit = wait_timeout);
    std::string receive_all(std::chrono::milliseconds limit = wait_timeout);
    // Reads until the peer closes; returns false if it has not closed after `limit`.
    bool ended(std::chrono::milliseconds limit = wait_timeout);
    void close();

private:
    int descriptor_ = -1;
    std::string rest_;
};

} // namespace vitrine::test
