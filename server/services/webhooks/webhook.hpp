#pragma once
// Webhooks, their deliveries, and how they are delivered. Plain values.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/util/clock.hpp"

namespace vitrine::server {

inline constexpr std::size_t max_webhook_url = 2000;        // bytes
inline constexpr std::size_t max_webhook_description = 200; // bytes
inline constexpr long long max_webhooks = 100;
inline constexpr const char* webhooks_topic = "webhooks"; // of signals about both tables
inline constexpr const char* webhook_test_type = "webhook.test";

struct NewWebhook {
    std::string url;                   // without a fault, url_fault() in webhook_transport.hpp
    std::vector<std::string> events{}; // is_event_filter() in event_types.hpp; empty: all
    std::string description{};
    std::string created_by{}; // to_text() of a principal
};

struct WebhookChange {
    std::optional<std::string> url{};
    std::optional<std::vector<std::string>> events{};
    std::optional<std::string> description{};
    std::optional<bool> disabled{};
};

struct Webhook : NewWebhook {
    std::string id{};       // "webhook_..."
    std::string disabled{}; // "request": by PATCH; "gone": its URL has answered 410; empty: enabled
    Micros created = 0;
    Micros updated = 0;
    Micros former_secret_until = 0; // the secret before the last rotation signs too until then; 0: none does
};

// The only value that has the secret, apart from a claim.
struct CreatedWebhook {
    Webhook webhook;
    std::string secret; // make_webhook_secret()
};

enum class DeliveryState : std::uint8_t { queued, running, delivered, dead };

// One event for one webhook.
struct WebhookDelivery {
    std::string id; // "msg_...": webhook-id of each attempt, by which receivers recognize a repetition
    std::string webhook;
    std::string type;
    DeliveryState state = DeliveryState::queued;
    std::uint32_t attempts = 0;
    Micros created = 0;
    Micros attempted = 0; // the end of the last attempt; 0: there was none
    Micros next = 0;      // while it is queued: not before
    Micros finished = 0;  // 0: not yet
    int status = 0;       // of the last response; 0: there was none
    std::string problem_code{};
    std::string problem_detail{};
};

// A delivery that this process attempts now.
struct DeliveryClaim {
    std::string id, webhook, body, url;
    std::vector<std::string> secrets{}; // the newest first
    std::uint32_t attempt = 0;          // 1: the first
    std::int64_t claim = 0;             // unique among the claims of the delivery
    std::string trace{};                // of what has caused the event; empty: none
};

struct DeliveryOutcome {
    enum class Kind : std::uint8_t {
        delivered,
        failed, // attempted again after `pause`
        dead,   // was the last attempt
        gone,   // dead, and the webhook is disabled
    };
    Kind kind = Kind::failed;
    int status = 0;
    std::string problem_code{};
    std::string problem_detail{};
    std::chrono::milliseconds pause{0};
};

struct WebhookOptions {
    bool allow_private = false; // addresses of this machine and of private networks
    std::uint32_t attempts = 10;
    std::chrono::milliseconds first_retry{5'000};
    std::chrono::milliseconds max_retry{std::chrono::hours(8)};
    std::chrono::milliseconds max_retry_after{std::chrono::hours(24)}; // that a receiver can ask for
    std::uint32_t in_flight = 16;                                      // requests of this process
    std::uint32_t in_flight_of_webhook = 4; // of all processes, apart from claims at the same moment
    std::chrono::milliseconds connect_time{5'000};
    std::chrono::milliseconds answer_time{15'000}; // of a whole request
    std::chrono::milliseconds lease{30'000};       // more than answer_time
    std::chrono::milliseconds poll{5'000};         // without a signal
};

} // namespace vitrine::server
