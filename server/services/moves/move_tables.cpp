#include "server/services/moves/move_tables.hpp"

#include <array>

namespace vitrine::server {

std::span<const MovedTable> moved_tables()
{
    static const std::vector<MovedTable> tables{
        {"assets", {"seq"}, "seq"},
        {"versions", {"asset", "number"}},
        {"files", {"asset", "version", "name"}},
        {"documents", {"asset", "version", "kind"}},
        {"clip_facets", {"asset", "version", "clip"}},
        {"similarity_keys", {"asset", "version", "kind", "part"}},
        {"jobs", {"seq"}, "seq"},
        {"events", {"id"}},
        {"idempotency", {"name"}},
        {"asset_search", {"rowid"}},
        {"search_words", {"word"}},
        {"catalog_settings", {"name"}}, // also whose objects those of the store are
        {"damaged_blobs", {"blob"}},
        {"access_tokens", {"id"}},
        {"audit_log", {"id"}},
        {"webhooks", {"id"}},
        {"webhook_deliveries", {"id"}},
        {"users", {"id"}},
        {"sessions", {"id"}},
        {"tags", {"tag"}},
        {"asset_tags", {"tag", "asset"}},
        {"collections", {"id"}},
        {"collection_assets", {"collection", "asset"}},
    };
    return tables;
}

std::span<const std::string_view> unmoved_tables()
{
    // Each database has its own migrations; the others are about processes that have stopped, and uploads
    // that their clients begin again.
    static constexpr std::array<std::string_view, 7> tables{
        "migrations",         progress_table, "workers",     "render_requests",
        "quarantined_models", "open_uploads", "upload_parts"};
    return tables;
}

} // namespace vitrine::server
