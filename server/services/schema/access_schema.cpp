#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Access tokens (services/access). `digest` and `cookie`: SHA-256, in hexadecimal, of the token and of what a
// browser keeps instead of it; `expires`, `last_used`: 0: never.
std::vector<std::string> access_tokens_migration()
{
    return {R"(CREATE TABLE access_tokens (
            id TEXT PRIMARY KEY,
            digest TEXT NOT NULL UNIQUE,
            cookie TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            created BIGINT NOT NULL,
            created_by TEXT NOT NULL,
            expires BIGINT NOT NULL,
            last_used BIGINT NOT NULL DEFAULT 0))"};
}

} // namespace vitrine::server
