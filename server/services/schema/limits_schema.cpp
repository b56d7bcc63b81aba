#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Limits that processes share. `id`: SHA-256 of what is limited, in hexadecimal. `last` and `free_at`: times
// in microseconds since 1970, after which the row has no effect (services/limits).
std::vector<std::string> limits_migration()
{
    return {"CREATE TABLE sign_in_failures (id TEXT PRIMARY KEY, failures BIGINT NOT NULL, "
            "last BIGINT NOT NULL)",
            "CREATE INDEX sign_in_failures_by_last ON sign_in_failures (last)",
            "CREATE TABLE rate_counts (id TEXT PRIMARY KEY, free_at BIGINT NOT NULL)",
            "CREATE INDEX rate_counts_by_time ON rate_counts (free_at)"};
}

} // namespace vitrine::server
