#include <tuple>

#include <fmt/format.h>

#include "server/services/schema/schema.hpp"

namespace vitrine::server {
namespace {

// As in list_columns_migration(), with the columns of this migration.
constexpr std::string_view more_filter_columns =
    "status, format, joints, clips, updated, file_bytes, extent, longest, shortest, fastest, slowest, "
    "clip_flags, warnings, missing_images, shown_license, shown_author, creator, vertices, materials, "
    "library, "
    "deleted";

std::vector<std::string> sort_indexes()
{
    std::vector<std::string> statements;
    for (const auto& [name, sorted, rest] :
         {std::tuple{"created", "created", "triangles"}, std::tuple{"name", "name_key", "triangles, created"},
          std::tuple{"triangles", "triangles", "created"}}) {
        statements.push_back(fmt::format("DROP INDEX assets_by_{}", name));
        statements.push_back(fmt::format("CREATE INDEX assets_by_{} ON assets ({}, seq, {}, {}) "
                                         "WHERE deleted = 0",
                                         name, sorted, rest, more_filter_columns));
    }
    return statements;
}

} // namespace

// More copies in assets of what lists filter by. library: id of the library whose folder has the main file
// now, of several the oldest one; empty: none.
std::vector<std::string> more_filters_migration()
{
    std::vector<std::string> statements{
        "ALTER TABLE assets ADD COLUMN vertices BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE assets ADD COLUMN materials BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE assets ADD COLUMN library TEXT NOT NULL DEFAULT ''",
        "UPDATE assets SET vertices = v.vertices, materials = v.materials FROM versions v "
        "WHERE v.asset = assets.id AND v.number = assets.version",
        "UPDATE assets SET library = f.library FROM (SELECT asset, MIN(library) AS library FROM "
        "library_files "
        "WHERE asset <> '' AND gone = 0 GROUP BY asset) AS f WHERE f.asset = assets.id",
        "CREATE INDEX assets_with_vertices ON assets (vertices, seq, deleted) WHERE deleted = 0",
        "CREATE INDEX assets_with_materials ON assets (materials, seq, deleted) WHERE deleted = 0",
        "CREATE INDEX assets_with_library ON assets (library, created, seq, deleted) WHERE deleted = 0"};
    for (auto& statement : sort_indexes())
        statements.push_back(std::move(statement));
    return statements;
}

} // namespace vitrine::server
