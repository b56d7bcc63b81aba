#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Users, and the browsers in which they have signed in (services/access). `password`: a hash with its salt
// and cost; empty: none. `digest`: SHA-256 of the cookie, in hexadecimal.
std::vector<std::string> accounts_migration()
{
    return {R"(CREATE TABLE users (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            name_key TEXT NOT NULL UNIQUE,
            display_name TEXT NOT NULL,
            role TEXT NOT NULL,
            disabled BIGINT NOT NULL,
            password TEXT NOT NULL,
            created BIGINT NOT NULL,
            created_by TEXT NOT NULL,
            updated BIGINT NOT NULL))",
            R"(CREATE TABLE sessions (
            id TEXT PRIMARY KEY,
            digest TEXT NOT NULL UNIQUE,
            user_id TEXT NOT NULL,
            created BIGINT NOT NULL,
            last_used BIGINT NOT NULL,
            expires BIGINT NOT NULL,
            address TEXT NOT NULL,
            agent TEXT NOT NULL))",
            "CREATE INDEX sessions_by_user ON sessions (user_id, id)"};
}

} // namespace vitrine::server
