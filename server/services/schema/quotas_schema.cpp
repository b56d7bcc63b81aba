#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Who uses how much storage (services/uploads/storage_quota.hpp). users.quota_bytes: -1: the limit of all
// users. open_uploads.deferred: the length is declared later; until then `length` is what was received.
// `owner`: id of the user who has uploaded it; empty: not a user. Of reservations `bytes` of the whole
// library and `owner_bytes` of the owner; `settled`: when its files were stored, 0: not yet.
std::vector<std::string> quotas_migration()
{
    return {"ALTER TABLE users ADD COLUMN quota_bytes BIGINT NOT NULL DEFAULT -1",
            "ALTER TABLE versions ADD COLUMN owner TEXT NOT NULL DEFAULT ''",
            "UPDATE versions SET owner = SUBSTR(a.creator, 6) FROM assets AS a "
            "WHERE a.id = versions.asset AND a.creator LIKE 'user:%'",
            "UPDATE versions SET owner = t.owner FROM assets AS a, access_tokens AS t "
            "WHERE a.id = versions.asset AND a.creator = 'token:' || t.id AND t.owner <> ''",
            "CREATE INDEX versions_by_owner ON versions (owner, asset, number)",
            "ALTER TABLE open_uploads ADD COLUMN owner TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE open_uploads ADD COLUMN deferred BIGINT NOT NULL DEFAULT 0",
            R"(CREATE TABLE storage_reservations (
            id TEXT PRIMARY KEY,
            owner TEXT NOT NULL,
            bytes BIGINT NOT NULL,
            owner_bytes BIGINT NOT NULL,
            settled BIGINT NOT NULL DEFAULT 0,
            expires BIGINT NOT NULL))"};
}

} // namespace vitrine::server
