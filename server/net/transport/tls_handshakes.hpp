#pragma once
// Counts TLS handshakes by their result and reports failed ones: one line per interval, so that nobody can
// fill the log. Any thread.

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include <prometheus/counter.h>
#include <prometheus/registry.h>

#include "server/net/transport/peer.hpp"

namespace vitrine::server {

class TlsHandshakes {
public:
    using Log = std::function<void(const std::string& text)>;

    TlsHandshakes(prometheus::Registry& registry, Log log,
                  std::chrono::milliseconds interval = std::chrono::seconds(10));

    void succeed() { done_.Increment(); }
    // `why`: OpenSSL's words or ours.
    void fail(const Peer& peer, std::string_view why,
              std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now());

private:
    prometheus::Counter& done_;
    prometheus::Counter& failed_;
    const Log log_;
    const std::chrono::milliseconds interval_;
    std::mutex mutex_; // guards the members below
    std::chrono::steady_clock::time_point next_line_{};
    std::size_t unreported_ = 0;
};

} // namespace vitrine::server
