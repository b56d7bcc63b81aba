#pragma once
// Rate limits of requests: of each principal, and of each address without one. Any thread.

#include <prometheus/counter.h>
#include <prometheus/registry.h>

#include "api/problem.hpp"
#include "server/net/http.hpp"
#include "server/routing/rates/rate_limiter.hpp"
#include "server/routing/route.hpp"

namespace vitrine::server {

class RequestRates {
public:
    // `add`: empty: this process counts alone.
    RequestRates(RateLimits principals, RateLimits addresses, prometheus::Registry& registry,
                 RateLimiter::AddToShared add = {});

    // Whether any limit applies to the principal's requests: the address of others need not be known.
    bool limits(const Principal& principal) const;
    // Counts a request of its principal, or without one of its address: IPv6 addresses of one /64 count
    // together, and --open is no principal. `route`: null if none matches. `asks`: as RateLimiter's.
    RateStatus count(const Request& request, const Route* route, RateLimiter::Time now, bool asks = true);
    // After a count with must_share. May block.
    void share(const Request& request, const Route* route, RateLimiter::Time now);
    // As count(), of a cached response, which counts as a read, and adds the fields to it. Returns false if
    // there are too many, or they must be shared: then nothing was counted.
    bool count_cached(const Principal& principal, const PeerAddress& client, RateLimiter::Time now,
                      CacheHit& hit);

private:
    RateStatus count(const Principal& principal, const PeerAddress& client, RateClass rate_class,
                     RateLimiter::Time now, bool asks);
    const RateLimits& limits_of(const Principal& principal) const;

    RateLimits principals_, addresses_;
    RateLimiter limiter_;
    prometheus::Family<prometheus::Counter>& rejected_;
};

// Counts a request; shares its sender's with other processes on the pool where that is due, or counts alone
// if the pool is full.
asio::awaitable<RateStatus> count_rate(RequestRates& rates, WorkPool& pool, const Request& request,
                                       const Route* route);
// `route`: null if none matches.
RateClass rate_class_of(const Route* route, Method method);
api::Problem rate_problem(const RateStatus& status);
// Adds RateLimit and RateLimit-Policy.
void add_rate_fields(const RateStatus& status, Response& response);

} // namespace vitrine::server
