// Copies in the row of an asset of what lists filter by.

#include <map>

#include "loaders/base/ascii.hpp"
#include "server/services/catalog/catalog_impl.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {

bool is_web_address(std::string_view text)
{
    const auto begins_with = [&](std::string_view scheme) {
        return text.size() > scheme.size() && ascii::lower(text.substr(0, scheme.size())) == scheme;
    };
    return begins_with("https://") || begins_with("http://");
}

// In one statement: each writes twenty indexes.
void put_list_columns(DatabaseConnection& sql, const std::string& asset)
{
    sql << "UPDATE assets SET format = v.format, triangles = v.triangles, joints = v.joints, "
           "clips = v.clips, vertices = v.vertices, materials = v.materials, file_bytes = v.size_bytes, "
           "extent = v.extent, warnings = v.warnings, "
           "missing_images = v.missing_images, "
           "shown_license = CASE WHEN assets.license = '' THEN v.license ELSE assets.license END, "
           "shown_author = CASE WHEN assets.author = '' THEN v.author ELSE assets.author END, "
           "longest = f.longest, shortest = f.shortest, fastest = f.fastest, slowest = f.slowest, "
           "clip_flags = f.clip_flags FROM versions v, (SELECT COALESCE(MAX(c.duration), -1) AS longest, "
           "COALESCE(MIN(c.duration), -1) AS shortest, COALESCE(MAX(c.speed), -1) AS fastest, "
           "COALESCE(MIN(c.speed), -1) AS slowest, COALESCE(MAX(c.loops) + 2 * MAX(1 - c.loops) + "
           "4 * MAX(c.in_place) + 8 * MAX(1 - c.in_place), 0) AS clip_flags FROM clip_facets c WHERE "
           "c.asset = :facets AND c.version = (SELECT version FROM assets WHERE id = :facets_of)) AS f "
           "WHERE v.asset = assets.id AND v.number = assets.version AND assets.id = :id",
        use(asset), use(asset), use(asset);
}

void put_warnings(DatabaseConnection& sql, const std::string& asset, std::uint32_t number,
                  const std::vector<std::string>& codes)
{
    const long long version = number;
    sql << "DELETE FROM asset_warnings WHERE asset = :asset AND version = :version", use(asset), use(version);
    std::map<std::string, long long> counts;
    for (const auto& code : codes)
        ++counts[code];
    for (const auto& [code, count] : counts)
        sql << "INSERT INTO asset_warnings (asset, version, code, count) VALUES (:a, :v, :code, :count)",
            use(asset), use(version), use(code), use(count);
}

void Catalog::update_library(const std::string& id)
{
    std::string known, current;
    const auto has_other = [&](DatabaseConnection& sql) {
        sql << "SELECT a.library, COALESCE((SELECT MIN(f.library) FROM library_files f WHERE f.asset = a.id "
               "AND f.asset <> '' AND f.gone = 0), '') FROM assets a WHERE a.id = :id",
            into(known), into(current), use(id);
        return sql.got_data() && known != current;
    };
    if (!impl_->connections.read(has_other)) return;
    impl_->connections.write([&](DatabaseConnection& sql) {
        lock_asset(sql, id);
        if (!has_other(sql)) return;
        sql << "UPDATE assets SET library = :library WHERE id = :id", use(current), use(id);
        touch_asset(sql, id);
        record_event(sql, "asset.updated", *find_asset_row(sql, id));
    });
}

} // namespace vitrine::server
