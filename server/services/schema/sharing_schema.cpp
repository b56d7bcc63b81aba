#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Share links, and the keys that sign URLs (services/access). `digest` and `cookie`: SHA-256, in hexadecimal,
// of the secret of the link and of what a browser keeps instead of it; `password`: a hash with its salt and
// cost; empty: none. `asset` and `collection`: one is empty. `expires`, `last_used`: 0: never.
std::vector<std::string> sharing_migration()
{
    return {R"(CREATE TABLE share_links (
            id TEXT PRIMARY KEY,
            digest TEXT NOT NULL UNIQUE,
            cookie TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            asset TEXT NOT NULL,
            collection TEXT NOT NULL,
            shown TEXT NOT NULL,
            downloads BIGINT NOT NULL,
            password TEXT NOT NULL,
            created BIGINT NOT NULL,
            created_by TEXT NOT NULL,
            expires BIGINT NOT NULL,
            last_used BIGINT NOT NULL DEFAULT 0,
            uses BIGINT NOT NULL DEFAULT 0))",
            R"(CREATE TABLE url_keys (
            id TEXT PRIMARY KEY,
            secret TEXT NOT NULL,
            created BIGINT NOT NULL))"};
}

} // namespace vitrine::server
