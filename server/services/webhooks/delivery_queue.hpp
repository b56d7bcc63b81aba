#pragma once
// The deliveries of webhooks in the database. Events become deliveries in the order of their ids, once: the
// webhook has the id of the last one, in the same transaction. A delivery is claimed with a lease, as jobs
// are; the number of the claim fences the writes of its holder. Any thread, blocking. Throws StorageError.

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/webhooks/webhook.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

struct DeliveryQuery {
    std::optional<DeliveryState> state{};
    std::string before{}; // id: only older ones; empty: all
    std::string id{};     // only this one
    std::size_t limit = 50;
};

class DeliveryQueue {
public:
    static constexpr long long max_queued = 10'000; // of a webhook; further ones are dead at once
    static constexpr std::chrono::hours retention{7 * 24};
    static constexpr long long max_kept = 10'000; // delivered ones, and dead ones

    // `database` outlives it.
    DeliveryQueue(DatabaseConnections& database, const WebhookOptions& options)
        : database_(database), options_(options)
    {
    }

    // Makes deliveries of the next events of one webhook. Returns false if there are none, or if another
    // process makes them now.
    bool add_events() const;
    // Claims the oldest due delivery of an enabled webhook that has less than in_flight_of_webhook requests.
    std::optional<DeliveryClaim> claim(const std::string& owner) const;
    // Returns false, writing nothing, if the lease is lost.
    bool finish(const DeliveryClaim& claim, const DeliveryOutcome& outcome) const;
    // Undoes the claim.
    void release(const DeliveryClaim& claim) const;
    // Queues deliveries again whose lease has expired or whose owner `is_dead`.
    void recover(const std::function<bool(const std::string& owner)>& is_dead) const;
    void remove_old() const;

    bool has_webhooks() const; // that are enabled
    std::size_t queued() const;
    // Until the next one of an enabled webhook is due; empty: none waits.
    std::optional<std::chrono::milliseconds> next_due() const;

    // The newest first. Errors: not_found ("no_webhook").
    Result<std::vector<WebhookDelivery>> list(const std::string& webhook, const DeliveryQuery& query) const;
    // Queues a delivery of the type webhook.test. Errors: not_found ("no_webhook"), conflict
    // ("webhook_disabled").
    Result<WebhookDelivery> add_test(const std::string& webhook) const;
    // Queues a delivered or dead one again, as if it had no attempts, with the same id. Errors: also
    // not_found
    // ("no_delivery"), conflict ("delivery_waiting").
    Result<WebhookDelivery> replay(const std::string& webhook, const std::string& delivery) const;

private:
    DatabaseConnections& database_;
    const WebhookOptions options_;
};

std::string_view to_string(DeliveryState state); // "queued", "running", "delivered", "dead"
std::optional<DeliveryState> parse_delivery_state(std::string_view word);

} // namespace vitrine::server
