#include <fmt/format.h>

#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// See events.cpp.
std::vector<std::string> events_migration()
{
    return {("CREATE TABLE events (id BIGINT PRIMARY KEY, created BIGINT NOT NULL, type TEXT NOT NULL, "
             "data TEXT NOT NULL)"),
            "CREATE INDEX events_by_time ON events (created)"};
}

// SQLite keeps a BIGINT key in an index of its own, and the id tells the time.
std::vector<std::string> events_by_id_migration(const Dialect& dialect)
{
    if (dialect.is_shared()) return {"DROP INDEX events_by_time"};
    return {"DROP INDEX events_by_time", "ALTER TABLE events RENAME TO events_with_index",
            ("CREATE TABLE events (id INTEGER PRIMARY KEY, created BIGINT NOT NULL, "
             "type TEXT NOT NULL, data TEXT NOT NULL)"),
            ("INSERT INTO events (id, created, type, data) "
             "SELECT id, created, type, data FROM events_with_index ORDER BY id"),
            "DROP TABLE events_with_index"};
}

} // namespace vitrine::server
