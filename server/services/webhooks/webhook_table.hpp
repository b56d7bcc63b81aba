#pragma once
// The table of webhooks. The database has their secrets in clear text, because each delivery is signed with
// them. Any thread, blocking. Throws StorageError.

#include <chrono>
#include <string>
#include <vector>

#include "server/services/webhooks/webhook.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

class WebhookTable {
public:
    static constexpr std::chrono::seconds max_overlap{7 * 24 * 3600};

    // `database` outlives it.
    explicit WebhookTable(DatabaseConnections& database) : database_(database) {}

    // Delivers the events from now on. Errors: conflict ("too_many_webhooks").
    Result<CreatedWebhook> create(NewWebhook wanted) const;
    // The newest first.
    std::vector<Webhook> list() const;
    // Errors of these: not_found ("no_webhook").
    Result<Webhook> find(const std::string& id) const;
    // One that is enabled again delivers what waited for it, and events from now on.
    Result<Webhook> change(const std::string& id, const WebhookChange& change) const;
    // Gives it another secret. The one before it signs too for `overlap` from now on, at most max_overlap.
    Result<CreatedWebhook> rotate(const std::string& id, std::chrono::seconds overlap) const;
    // With its deliveries.
    Result<void> remove(const std::string& id) const;

private:
    DatabaseConnections& database_;
};

} // namespace vitrine::server
