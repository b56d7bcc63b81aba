#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// `sid`: the claim of the ID token by which the session began; empty: none. Logout tokens that were used:
// `id` is the SHA-256 of their issuer and jti, in hexadecimal; they are forgotten when they have expired.
std::vector<std::string> provider_logout_migration()
{
    return {"ALTER TABLE sessions ADD COLUMN sid TEXT NOT NULL DEFAULT ''",
            "CREATE INDEX sessions_by_sid ON sessions (sid) WHERE sid <> ''",
            R"(CREATE TABLE logout_tokens (
            id TEXT PRIMARY KEY,
            expires BIGINT NOT NULL))"};
}

} // namespace vitrine::server
