#pragma once
// Rows of deliveries, for the source files of DeliveryQueue.

#include <optional>
#include <string>
#include <vector>

#include "server/services/webhooks/delivery_queue.hpp"

namespace vitrine::server {

struct DatabaseConnection; // server/services/database/database_connection.hpp

std::vector<WebhookDelivery> fetch_deliveries(DatabaseConnection& sql, const std::string& webhook,
                                              const DeliveryQuery& query);
// Why nothing can be queued for the webhook, whose row is locked; empty: it can.
std::optional<ServiceError> reject_unless_enabled(DatabaseConnection& sql, const std::string& webhook);

} // namespace vitrine::server
