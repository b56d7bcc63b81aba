#pragma once
// Routes of /v1/webhooks and their handlers.

#include <array>
#include <chrono>
#include <expected>

#include "server/routing/route.hpp"
#include "server/services/webhooks/webhook.hpp"

namespace vitrine::server {

HandlerResult list_webhooks(const Request& request, Context& context);
HandlerResult create_webhook(const Request& request, Context& context);
HandlerResult get_webhook(const Request& request, Context& context);
HandlerResult change_webhook(const Request& request, Context& context);
HandlerResult delete_webhook(const Request& request, Context& context);
HandlerResult rotate_webhook_secret(const Request& request, Context& context);
HandlerResult test_webhook(const Request& request, Context& context);
HandlerResult list_webhook_deliveries(const Request& request, Context& context);
HandlerResult replay_webhook_delivery(const Request& request, Context& context);

// webhook_body.cpp: bodies of requests. Members that are absent are empty. `allow_private`: of url_fault().
std::expected<WebhookChange, api::Problem> read_webhook(const Request& request, bool allow_private);
// overlapSeconds, one day by default.
std::expected<std::chrono::seconds, api::Problem> read_overlap(const Request& request);

constexpr Route webhook_route(Method method, std::string_view pattern, std::string_view name,
                              BlockingHandler handler, std::uint64_t body_bytes = 0)
{
    return catalog_route(method, Access::administer, pattern, name, handler, body_bytes);
}

inline constexpr std::array webhook_routes{
    webhook_route(Method::get, "/v1/webhooks", "listWebhooks", list_webhooks),
    webhook_route(Method::post, "/v1/webhooks", "createWebhook", create_webhook, 16 * 1024),
    webhook_route(Method::get, "/v1/webhooks/{id}", "getWebhook", get_webhook),
    webhook_route(Method::patch, "/v1/webhooks/{id}", "changeWebhook", change_webhook, 16 * 1024),
    webhook_route(Method::delete_, "/v1/webhooks/{id}", "deleteWebhook", delete_webhook),
    webhook_route(Method::post, "/v1/webhooks/{id}/secret", "rotateWebhookSecret", rotate_webhook_secret,
                  1024),
    webhook_route(Method::post, "/v1/webhooks/{id}/test", "testWebhook", test_webhook, 1024),
    webhook_route(Method::get, "/v1/webhooks/{id}/deliveries", "listWebhookDeliveries",
                  list_webhook_deliveries),
    webhook_route(Method::post, "/v1/webhooks/{id}/deliveries/{delivery}/replay", "replayWebhookDelivery",
                  replay_webhook_delivery, 1024),
};

} // namespace vitrine::server
