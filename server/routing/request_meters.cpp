#include "server/routing/request_meters.hpp"

#include <string>

namespace vitrine::server {
namespace {

// Returns `place`, set by `make` if it is null. Two threads may both make it: Add() returns the same metric.
template <class Metric, class Make>
Metric& known_or(std::atomic<Metric*>& place, Make make)
{
    auto* metric = place.load();
    if (metric == nullptr) place = metric = &make();
    return *metric;
}

} // namespace

RequestMeters::RequestMeters(prometheus::Registry& registry, std::span<const Route> routes,
                             const Route& fallback)
    : requests_(prometheus::BuildCounter()
                    .Name("vitrine_http_requests_total")
                    .Help("Requests by route and status")
                    .Register(registry)),
      seconds_(prometheus::BuildHistogram()
                   .Name("vitrine_http_request_seconds")
                   .Help("Time from the request header to the response")
                   .Register(registry)),
      in_flight_(prometheus::BuildGauge()
                     .Name("vitrine_http_requests_in_flight")
                     .Help("Requests in progress")
                     .Register(registry)
                     .Add({}))
{
    for (const auto& route : routes)
        known_.try_emplace(route.name);
    known_.try_emplace(fallback.name);
    known_.try_emplace("none");
}

prometheus::Counter& RequestMeters::counter(std::string_view route, int status)
{
    return requests_.Add({{"route", std::string(route)}, {"status", std::to_string(status)}});
}

void RequestMeters::count(std::string_view route, int status, double elapsed_s)
{
    auto& known = known_.at(route);
    const auto make = [&]() -> prometheus::Counter& { return counter(route, status); };
    const bool is_frequent = status == 200 || status == 304;
    auto& requests = is_frequent ? known_or(status == 200 ? known.ok : known.unchanged, make) : make();
    requests.Increment();
    auto& seconds = known_or(known.seconds, [&]() -> prometheus::Histogram& {
        const prometheus::Histogram::BucketBoundaries buckets{0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0};
        return seconds_.Add({{"route", std::string(route)}}, buckets);
    });
    seconds.Observe(elapsed_s);
}

} // namespace vitrine::server
