#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Webhooks and what they deliver (services/webhooks). `events`: words, separated by spaces; empty: all.
// `disabled`: why; empty: it is not. `former_secret` signs too until `former_until`. `last_event`: deliveries
// of events up to this id exist. `body`: JSON, as it is sent; `event`: 0: no event, a test.
std::vector<std::string> webhooks_migration()
{
    return {
        R"(CREATE TABLE webhooks (
            id TEXT PRIMARY KEY,
            url TEXT NOT NULL,
            events TEXT NOT NULL,
            description TEXT NOT NULL,
            disabled TEXT NOT NULL DEFAULT '',
            secret TEXT NOT NULL,
            former_secret TEXT NOT NULL DEFAULT '',
            former_until BIGINT NOT NULL DEFAULT 0,
            last_event BIGINT NOT NULL,
            created BIGINT NOT NULL,
            created_by TEXT NOT NULL,
            updated BIGINT NOT NULL))",
        R"(CREATE TABLE webhook_deliveries (
            id TEXT PRIMARY KEY,
            webhook TEXT NOT NULL,
            event BIGINT NOT NULL,
            type TEXT NOT NULL,
            body TEXT NOT NULL,
            state TEXT NOT NULL,
            attempts BIGINT NOT NULL DEFAULT 0,
            claims BIGINT NOT NULL DEFAULT 0,
            created BIGINT NOT NULL,
            run_after BIGINT NOT NULL,
            lease_owner TEXT NOT NULL DEFAULT '',
            lease_until BIGINT NOT NULL DEFAULT 0,
            attempted BIGINT NOT NULL DEFAULT 0,
            finished BIGINT NOT NULL DEFAULT 0,
            status BIGINT NOT NULL DEFAULT 0,
            problem_code TEXT NOT NULL DEFAULT '',
            problem_detail TEXT NOT NULL DEFAULT ''))",
        "CREATE INDEX webhook_deliveries_due ON webhook_deliveries (run_after, event) WHERE state = 'queued'",
        "CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook) WHERE state = 'queued'",
        "CREATE INDEX webhook_deliveries_running ON webhook_deliveries (webhook) WHERE state = 'running'",
        "CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook, id)"};
}

} // namespace vitrine::server
