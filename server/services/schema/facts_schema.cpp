#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// The version of the code (api/facts_version.hpp) that has made what is stored about the model, and the
// newest that has tried to; 0: a version of Vitrine that did not store it.
std::vector<std::string> facts_migration()
{
    return {
        "ALTER TABLE versions ADD COLUMN facts_version BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE versions ADD COLUMN facts_tried BIGINT NOT NULL DEFAULT 0",
        "CREATE INDEX versions_by_facts ON versions (facts_tried, size_bytes) WHERE format <> ''",
        ("CREATE INDEX versions_not_refreshed ON versions (facts_tried) "
         "WHERE format <> '' AND facts_version < facts_tried"),
        "CREATE INDEX jobs_of_refresh ON jobs (asset, seq) WHERE kind = 'refresh'",
        "CREATE INDEX jobs_refreshed ON jobs (seq) WHERE kind = 'refresh' AND state = 'succeeded'",
        // Assets of one upload were stored in one transaction, milliseconds after each other.
        R"(UPDATE assets SET upload = 'upload_of_' || grouped.first FROM (
            SELECT seq, MAX(start) OVER (ORDER BY seq) AS first FROM (
                SELECT seq, CASE WHEN created - LAG(created, 1, 0) OVER (ORDER BY seq) > 20000
                    THEN seq ELSE 0 END AS start FROM assets) AS gaps) AS grouped
            WHERE grouped.seq = assets.seq AND assets.upload = '')",
    };
}

} // namespace vitrine::server
