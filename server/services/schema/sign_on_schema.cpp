#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Users of identity providers, whose key is issuer and subject. Tokens that end with a user, their owner.
// Requests of devices for such a token (services/access/device_grants.hpp): `device_code` is the SHA-256 of
// the code, in hexadecimal; `state`: waiting, approved or denied; `owner`, `approved_by` and `granted`, a
// role: of an approved one; `pause` in microseconds.
std::vector<std::string> sign_on_migration()
{
    return {"ALTER TABLE users ADD COLUMN issuer TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE users ADD COLUMN subject TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE users ADD COLUMN email TEXT NOT NULL DEFAULT ''",
            "CREATE UNIQUE INDEX users_by_subject ON users (issuer, subject) WHERE subject <> ''",
            "ALTER TABLE access_tokens ADD COLUMN owner TEXT NOT NULL DEFAULT ''",
            R"(CREATE TABLE device_grants (
            device_code TEXT PRIMARY KEY,
            user_code TEXT NOT NULL UNIQUE,
            client TEXT NOT NULL,
            address TEXT NOT NULL,
            role TEXT NOT NULL,
            state TEXT NOT NULL,
            owner TEXT NOT NULL,
            approved_by TEXT NOT NULL,
            granted TEXT NOT NULL,
            pause BIGINT NOT NULL,
            polled BIGINT NOT NULL,
            created BIGINT NOT NULL,
            expires BIGINT NOT NULL))"};
}

} // namespace vitrine::server
