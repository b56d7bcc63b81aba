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
        {"jobs", {"seq"}, "seq"},
        {"idempotency", {"name"}},
        {"asset_search", {"rowid"}},
        {"search_words", {"word"}},
    };
    return tables;
}

std::span<const std::string_view> unmoved_tables()
{
    // Each database has its own migrations.
    static constexpr std::array<std::string_view, 2> tables{"migrations", progress_table};
    return tables;
}

} // namespace vitrine::server
