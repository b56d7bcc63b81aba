#include <tuple>

#include <fmt/format.h>

#include "server/services/schema/schema.hpp"

namespace vitrine::server {
namespace {

// In the index of each sort order: a list reads the rows that its filters select, and no others.
// `deleted`, which the index implies, because SQLite reads the row to compare it.
constexpr std::string_view filter_columns =
    "status, format, joints, clips, updated, file_bytes, extent, longest, shortest, fastest, slowest, "
    "clip_flags, warnings, missing_images, shown_license, shown_author, creator, deleted";

std::vector<std::string> indexes()
{
    std::vector<std::string> statements;
    for (const auto& [name, sorted, rest] :
         {std::tuple{"created", "created", "triangles"}, std::tuple{"name", "name_key", "triangles, created"},
          std::tuple{"triangles", "triangles", "created"}}) {
        statements.push_back(fmt::format("DROP INDEX assets_by_{}", name));
        statements.push_back(fmt::format("CREATE INDEX assets_by_{} ON assets ({}, seq, {}, {}) "
                                         "WHERE deleted = 0",
                                         name, sorted, rest, filter_columns));
    }
    return statements;
}

} // namespace

// What lists filter by: columns of versions that the import writes, and copies in assets of what the version
// that requests read has (list_columns.cpp). Lengths in micrometers, durations in microseconds, speeds in
// micrometers per second; -1: no clip, or not known until the import or until the facts are refreshed.
// versions.license, author and source_url: declared by the file. clip_flags: bits of clips that loop, do not
// loop, stay in place, do not stay. creator: to_text() of a principal; empty: not known.
std::vector<std::string> list_columns_migration()
{
    std::vector<std::string> statements{
        R"(CREATE TABLE asset_warnings (
            asset TEXT NOT NULL,
            version BIGINT NOT NULL,
            code TEXT NOT NULL,
            count BIGINT NOT NULL,
            PRIMARY KEY (asset, version, code)))",
        "CREATE INDEX asset_warnings_by_code ON asset_warnings (code, asset, version)",
        "ALTER TABLE clip_facets ADD COLUMN duration BIGINT NOT NULL DEFAULT -1"};
    const auto add = [&](const char* table, const char* column, const char* type) {
        statements.push_back(fmt::format("ALTER TABLE {} ADD COLUMN {} {}", table, column, type));
    };
    const auto text = "TEXT NOT NULL DEFAULT ''", number = "BIGINT NOT NULL DEFAULT 0",
               unknown = "BIGINT NOT NULL DEFAULT -1";
    for (const auto* column : {"license", "author", "source_url"})
        add("versions", column, text);
    for (const auto* column : {"extent", "warnings", "missing_images"})
        add("versions", column, unknown);
    for (const auto* column : {"shown_license", "shown_author", "creator"})
        add("assets", column, text);
    for (const auto* column : {"file_bytes", "clip_flags"})
        add("assets", column, number);
    for (const auto* column :
         {"extent", "longest", "shortest", "fastest", "slowest", "warnings", "missing_images"})
        add("assets", column, unknown);
    statements.emplace_back("UPDATE assets SET shown_license = license, shown_author = author, "
                            "file_bytes = COALESCE((SELECT v.size_bytes FROM versions v WHERE v.asset = "
                            "assets.id AND v.number = assets.version), 0)");
    statements.emplace_back(
        "UPDATE assets SET fastest = c.fastest, slowest = c.slowest, clip_flags = c.flags FROM (SELECT "
        "asset, version, MAX(speed) AS fastest, MIN(speed) AS slowest, MAX(loops) + 2 * MAX(1 - loops) + "
        "4 * MAX(in_place) + 8 * MAX(1 - in_place) AS flags FROM clip_facets GROUP BY asset, version) AS c "
        "WHERE c.asset = assets.id AND c.version = assets.version");
    for (auto& statement : indexes())
        statements.push_back(std::move(statement));
    return statements;
}

} // namespace vitrine::server
