#pragma once
// Bodies of requests about webhooks.

#include <chrono>
#include <expected>

#include "server/routing/route.hpp"
#include "server/services/webhooks/webhook.hpp"

namespace vitrine::server {

// Members that are absent are empty. `allow_private`: of url_fault().
std::expected<WebhookChange, api::Problem> read_webhook(const Request& request, bool allow_private);
// overlapSeconds, one day by default.
std::expected<std::chrono::seconds, api::Problem> read_overlap(const Request& request);

} // namespace vitrine::server
