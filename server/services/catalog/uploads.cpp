// Which assets were uploaded together.
#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/rows.hpp"

namespace vitrine::server {

Result<AssetRecord> Catalog::find_in_upload(const std::string& asset, const std::string& file) const
{
    return impl_->connections.read([&](DatabaseConnection& sql) -> Result<AssetRecord> {
        Binds binds;
        std::string where =
            "WHERE a.deleted = 0 AND a.upload <> '' AND a.upload = (SELECT upload FROM assets "
            "WHERE id = ";
        where += binds.add(asset) + ") AND (v.main_file = " + binds.add(file);
        where += " OR substr(v.main_file, length(v.main_file) - length(CAST(" + binds.add("/" + file);
        where += " AS TEXT)) + 1) = " + binds.add("/" + file) +
                 ") ORDER BY v.main_file = " + binds.add(file) + " DESC LIMIT 2";
        const auto found = fetch_assets(sql, select_assets() + where, binds);
        const bool is_unique = found.size() == 1 || (found.size() == 2 && found.front().main_file == file);
        if (!is_unique) return no_asset(file);
        return found.front();
    });
}

} // namespace vitrine::server
