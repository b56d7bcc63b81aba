// Files and documents of assets.

#include <algorithm>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/rows.hpp"
#include "server/util/sha256.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {

std::string Catalog::source_hash(const NewAsset& asset)
{
    std::vector<std::string> lines;
    for (const auto& file : asset.files)
        lines.push_back(file.blob + " " + file.name + "\n"); // names hold no line break
    std::ranges::sort(lines);
    Sha256 hash;
    hash.update(asset.main_file + "\n");
    for (const auto& line : lines)
        hash.update(line);
    return hash.finish();
}

std::vector<FileRecord> Catalog::files(const std::string& asset, std::uint32_t version) const
{
    return impl_->connections.read([&](DatabaseConnection& sql) {
        Binds binds;
        const auto id = binds.add(asset);
        const auto number = binds.add(static_cast<long long>(version));
        return fetch_files(sql,
                           "SELECT name, blob, size_bytes FROM files WHERE asset = " + id +
                               " AND version = " + number + " ORDER BY name",
                           binds);
    });
}

bool Catalog::names_blob(const std::string& blob) const
{
    return impl_->connections.read([&](DatabaseConnection& sql) {
        long long one = 0;
        sql << "SELECT 1 FROM files WHERE blob = :blob LIMIT 1", into(one), use(blob);
        if (sql.got_data()) return true;
        sql << "SELECT 1 FROM upload_parts WHERE blob = :blob LIMIT 1", into(one), use(blob);
        return sql.got_data();
    });
}

std::optional<std::string> Catalog::find_document(const std::string& asset, std::uint32_t version,
                                                  AssetDocument document) const
{
    return impl_->connections.read([&](DatabaseConnection& sql) {
        Binds binds;
        const auto id = binds.add(asset);
        const auto number = binds.add(static_cast<long long>(version));
        const auto kind = binds.add(std::string(to_string(document)));
        return fetch_text(sql,
                          "SELECT json FROM documents WHERE asset = " + id + " AND version = " + number +
                              " AND kind = " + kind,
                          binds);
    });
}

std::uint64_t Catalog::asset_count() const
{
    return impl_->connections.read([](DatabaseConnection& sql) {
        long long count = 0;
        sql << "SELECT COUNT(*) FROM assets WHERE deleted = 0", into(count);
        return static_cast<std::uint64_t>(count);
    });
}

} // namespace vitrine::server
