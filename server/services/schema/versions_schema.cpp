#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Each version has a status of its own, because assets may have several. `name`: what the asset is called
// once the version is imported; empty: as before. `restored_from`: 0 for files that were uploaded. The index
// has the assets with several versions, which are few.
std::vector<std::string> versions_migration()
{
    return {"ALTER TABLE versions ADD COLUMN status TEXT NOT NULL DEFAULT 'importing'",
            "ALTER TABLE versions ADD COLUMN name TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE versions ADD COLUMN restored_from BIGINT NOT NULL DEFAULT 0",
            "UPDATE versions SET status = (SELECT status FROM assets WHERE assets.id = versions.asset)",
            // With the size, so that the bytes of all contents are read from the index.
            "DROP INDEX files_by_blob", "CREATE INDEX files_by_blob ON files (blob, size_bytes)",
            "CREATE INDEX further_versions ON versions (asset, number) WHERE number > 1"};
}

} // namespace vitrine::server
