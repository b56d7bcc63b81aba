#include "server/services/moves/move_tables.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace vitrine::server {

namespace {

std::vector<MovedTable> tables_of_assets()
{
    return {
        {"assets", {"seq"}, "seq"},
        {"versions", {"asset", "number"}},
        {"files", {"asset", "version", "name"}},
        {"documents", {"asset", "version", "kind"}},
        {"clip_facets", {"asset", "version", "clip"}},
        {"asset_warnings", {"asset", "version", "code"}},
        {"similarity_keys", {"asset", "version", "kind", "part"}},
        {"picture_vectors", {"seq"}, "seq"},
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
    };
}

std::vector<MovedTable> tables_of_organization()
{
    return {
        {"tags", {"tag"}},
        {"asset_tags", {"tag", "asset"}},
        {"collections", {"id"}},
        {"collection_assets", {"collection", "asset"}},
        {"collection_fields", {"id"}},
        {"field_values", {"asset", "field"}},
        {"libraries", {"id"}},
        {"library_files", {"library", "folder", "name", "gone"}},
        {"favorites", {"owner", "asset"}},
        {"notes", {"id"}},
        {"saved_searches", {"id"}},
        {"share_links", {"id"}},
        {"collection_grants", {"collection", "user_id"}},
        {"user_groups", {"user_id", "group_name"}},
        {"group_grants", {"collection", "issuer", "group_name"}},
        {"url_keys", {"id"}},
    };
}

} // namespace

std::span<const MovedTable> moved_tables()
{
    static const auto tables = [] {
        auto all = tables_of_assets();
        std::ranges::move(tables_of_organization(), std::back_inserter(all));
        return all;
    }();
    return tables;
}
std::span<const std::string_view> unmoved_tables()
{
    // Each database has its own migrations; the others are about processes that have stopped, uploads,
    // deferred responses and requests of devices that their clients begin again, and the limits and
    // logout tokens of the last hour.
    static constexpr std::array<std::string_view, 13> tables{
        "migrations",   progress_table,         "workers",       "render_requests", "quarantined_models",
        "open_uploads", "upload_parts",         "device_grants", "response_jobs",   "sign_in_failures",
        "rate_counts",  "storage_reservations", "logout_tokens"};
    return tables;
}

} // namespace vitrine::server
