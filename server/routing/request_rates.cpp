#include "server/routing/request_rates.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "server/net/async.hpp"
#include "server/net/transport/address_counts.hpp"

namespace vitrine::server {
namespace {

// Not those with a share link or a signed URL, which anybody may have.
bool is_known(const Principal& principal)
{
    return principal.kind == Principal::Kind::token || principal.kind == Principal::Kind::user;
}

// Whose requests are counted together: of a user those of all sessions.
std::string sender_of(const Principal& principal, const PeerAddress& client)
{
    if (is_known(principal)) return to_text(principal);
    const auto key = AddressCounts::key_for(client);
    std::string sender = "address:";
    sender.append(reinterpret_cast<const char*>(key.data()), key.size());
    return sender;
}

} // namespace

RequestRates::RequestRates(RateLimits principals, RateLimits addresses, prometheus::Registry& registry,
                           RateLimiter::AddToShared add)
    : principals_(principals), addresses_(addresses), limiter_(std::move(add)),
      rejected_(prometheus::BuildCounter()
                    .Name("vitrine_http_rate_limited_total")
                    .Help("Requests that exceeded a rate limit, by its class")
                    .Register(registry))
{
}

const RateLimits& RequestRates::limits_of(const Principal& principal) const
{
    const bool is_open = principal.kind == Principal::Kind::open;
    return is_known(principal) || is_open ? principals_ : addresses_;
}

bool RequestRates::limits(const Principal& principal) const
{
    return std::ranges::any_of(limits_of(principal).classes, &RateLimit::is_set);
}

RateStatus RequestRates::count(const Principal& principal, const PeerAddress& client, RateClass rate_class,
                               RateLimiter::Time now, bool asks)
{
    const auto& limit = limits_of(principal)[rate_class];
    if (!limit.is_set()) return {};
    const auto status = limiter_.count(sender_of(principal, client), rate_class, limit, now, asks);
    if (status.is_rejected()) rejected_.Add({{"class", std::string(to_word(rate_class))}}).Increment();
    return status;
}

RateStatus RequestRates::count(const Request& request, const Route* route, RateLimiter::Time now, bool asks)
{
    if (route && route->is_unlimited) return {};
    return count(request.principal, request.client_address, rate_class_of(route, request.method), now, asks);
}

void RequestRates::share(const Request& request, const Route* route, RateLimiter::Time now)
{
    const auto rate_class = rate_class_of(route, request.method);
    limiter_.share(sender_of(request.principal, request.client_address), rate_class,
                   limits_of(request.principal)[rate_class], now);
}

bool RequestRates::count_cached(const Principal& principal, const PeerAddress& client, RateLimiter::Time now,
                                CacheHit& hit)
{
    const auto status = count(principal, client, RateClass::reads, now, true);
    if (status.must_share) return false;
    if (status.is_limited()) hit.rate_fields = rate_field_lines(status);
    return !status.is_rejected();
}

asio::awaitable<RateStatus> count_rate(RequestRates& rates, WorkPool& pool, const Request& request,
                                       const Route* route)
{
    auto status = rates.count(request, route, RateLimiter::Time::clock::now());
    if (!status.must_share) co_return status;
    try {
        co_await run_on_pool(pool, [&] {
            rates.share(request, route, RateLimiter::Time::clock::now());
            return true;
        });
    } catch (const PoolBusy&) {
    }
    co_return rates.count(request, route, RateLimiter::Time::clock::now(), false);
}

RateClass rate_class_of(const Route* route, Method method)
{
    if (route && (route->is_costly || route->pool == Pool::exports || route->upgrades))
        return RateClass::renders;
    const bool is_read_by_post = route && route->access == Access::read;
    return changes_something(method) && !is_read_by_post ? RateClass::writes : RateClass::reads;
}

api::Problem rate_problem(const RateStatus& status)
{
    return {.status = 429,
            .code = "rate_limited",
            .detail = fmt::format("More than {} {} in {} seconds; try again later.", status.limit.requests,
                                  to_word(status.rate_class), status.limit.window.count()),
            .retry_after_s = status.wait_s};
}

void add_rate_fields(const RateStatus& status, Response& response)
{
    if (!status.is_limited()) return;
    response.headers.set("RateLimit-Policy", rate_policy_field(status));
    response.headers.set("RateLimit", rate_limit_field(status));
}

} // namespace vitrine::server
