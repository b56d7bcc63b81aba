#pragma once
// Counters of requests by route and status. Any thread.

#include <atomic>
#include <span>
#include <string_view>
#include <unordered_map>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include "server/routing/route.hpp"

namespace vitrine::server {

class RequestMeters {
public:
    // The names of the routes must outlive the meters.
    RequestMeters(prometheus::Registry& registry, std::span<const Route> routes, const Route& fallback);

    // `route`: Route::name, or "none".
    void count(std::string_view route, int status, double elapsed_s);
    void set_in_flight(std::size_t count) { in_flight_.Set(static_cast<double>(count)); }

private:
    // Counters that were used before: looking one up by its labels costs as much as a small request.
    struct Known {
        std::atomic<prometheus::Counter*> ok = nullptr, unchanged = nullptr; // 200 and 304
        std::atomic<prometheus::Histogram*> seconds = nullptr;
    };
    prometheus::Counter& counter(std::string_view route, int status);

    prometheus::Family<prometheus::Counter>& requests_;
    prometheus::Family<prometheus::Histogram>& seconds_;
    prometheus::Gauge& in_flight_;
    std::unordered_map<std::string_view, Known> known_; // its keys never change
};

} // namespace vitrine::server
