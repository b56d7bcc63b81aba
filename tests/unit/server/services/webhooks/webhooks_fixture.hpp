#pragma once
// Webhooks in an empty catalog.

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "server/services/database/database_connections.hpp"
#include "server/services/webhooks/delivery_queue.hpp"
#include "server/services/webhooks/webhook_table.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {

class CatalogWebhooks : public CatalogTest {
protected:
    CreatedWebhook make(std::vector<std::string> events = {})
    {
        return webhooks.create({.url = "https://hooks.example/", .events = std::move(events)}).value();
    }
    void add_all() const
    {
        while (queue.add_events())
            ;
    }
    std::vector<std::string> types_of(const std::string& webhook) const
    {
        std::vector<std::string> types;
        for (const auto& delivery : queue.list(webhook, {.limit = 500}).value())
            types.push_back(delivery.type);
        return types;
    }
    WebhookDelivery only_delivery(const std::string& webhook) const
    {
        const auto all = queue.list(webhook, {}).value();
        EXPECT_THAT(all, ::testing::SizeIs(1));
        return all.at(0);
    }
    void execute(const std::string& statement)
    {
        catalog.connections().write([&](DatabaseConnection& sql) { sql << statement; });
    }

    WebhookTable webhooks{catalog.connections()};
    const WebhookOptions options{.in_flight_of_webhook = 2};
    const DeliveryQueue queue{catalog.connections(), options};
};

} // namespace vitrine::server::testing
