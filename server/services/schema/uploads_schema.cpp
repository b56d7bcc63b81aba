#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// What the servers of a catalog know in common of their blob store (blob_ledger.hpp).
std::vector<std::string> blob_ledger_migration()
{
    return {"CREATE TABLE catalog_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
            "CREATE TABLE damaged_blobs (blob TEXT PRIMARY KEY, found BIGINT NOT NULL)"};
}

// Uploads in pieces that no asset names yet (services/uploads). `partials`: ids, separated by spaces, of the
// uploads that a final one was made of. The bytes are blobs, one for each row of upload_parts.
std::vector<std::string> uploads_migration()
{
    return {R"(CREATE TABLE open_uploads (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            metadata TEXT NOT NULL,
            concat TEXT NOT NULL,
            partials TEXT NOT NULL,
            length BIGINT NOT NULL,
            received BIGINT NOT NULL DEFAULT 0,
            parts BIGINT NOT NULL DEFAULT 0,
            expires BIGINT NOT NULL))",
            "CREATE INDEX open_uploads_by_expiry ON open_uploads (expires)",
            R"(CREATE TABLE upload_parts (
            upload TEXT NOT NULL,
            start BIGINT NOT NULL,
            length BIGINT NOT NULL,
            blob TEXT NOT NULL,
            PRIMARY KEY (upload, start)))",
            "CREATE INDEX upload_parts_by_blob ON upload_parts (blob)"};
}

} // namespace vitrine::server
