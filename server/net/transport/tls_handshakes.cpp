#include "server/net/transport/tls_handshakes.hpp"

#include <utility>

#include <fmt/format.h>
#include <prometheus/family.h>

namespace vitrine::server {
namespace {

prometheus::Counter& result_counter(prometheus::Registry& registry, const char* result)
{
    auto& family = prometheus::BuildCounter()
                       .Name("vitrine_tls_handshakes_total")
                       .Help("TLS handshakes by result")
                       .Register(registry);
    return family.Add({{"result", result}});
}

} // namespace

TlsHandshakes::TlsHandshakes(prometheus::Registry& registry, Log log, std::chrono::milliseconds interval)
    : done_(result_counter(registry, "done")), failed_(result_counter(registry, "failed")),
      log_(std::move(log)), interval_(interval)
{
}

void TlsHandshakes::fail(const Peer& peer, std::string_view why, std::chrono::steady_clock::time_point now)
{
    failed_.Increment();
    std::string more;
    {
        const std::scoped_lock lock(mutex_);
        if (now < next_line_) {
            ++unreported_;
            return;
        }
        next_line_ = now + interval_;
        if (unreported_ > 0) more = fmt::format(" unreported={}", std::exchange(unreported_, 0));
    }
    log_(fmt::format("msg=\"a TLS handshake has failed\" peer={} error={:?}{}", peer.text, why, more));
}

} // namespace vitrine::server
