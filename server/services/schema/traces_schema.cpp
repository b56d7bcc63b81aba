#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// The trace of the request that has made a job; empty: it had none.
std::vector<std::string> job_traces_migration()
{
    return {"ALTER TABLE jobs ADD COLUMN trace TEXT NOT NULL DEFAULT ''"};
}

// The trace of the request or job that has caused an event, and deliveries of it; empty: none.
std::vector<std::string> event_traces_migration()
{
    return {"ALTER TABLE events ADD COLUMN trace TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE webhook_deliveries ADD COLUMN trace TEXT NOT NULL DEFAULT ''"};
}

} // namespace vitrine::server
