// Opening of the catalog, its state as a whole, and which assets were uploaded together.

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/rows.hpp"
#include "server/services/schema/schema.hpp"

using soci::into;

namespace vitrine::server {

Catalog::Catalog(const std::string& location, unsigned readers)
    : impl_(std::make_unique<Impl>(location, readers))
{
    impl_->connections.setup([](DatabaseConnection& sql) { migrate(sql); });
    impl_->connections.start_listening();
}

Catalog::~Catalog() = default;

const Generations& Catalog::generations() const
{
    return impl_->connections.generations();
}

Signals& Catalog::signals()
{
    return impl_->connections.signals();
}

DatabaseConnections& Catalog::connections()
{
    return impl_->connections;
}

void Catalog::check() const
{
    impl_->connections.read([](DatabaseConnection& sql) {
        long long one = 0;
        sql << "SELECT COUNT(*) FROM migrations", into(one);
    });
}

Result<AssetRecord> Catalog::find_in_upload(const std::string& asset, const std::string& file) const
{
    return impl_->connections.read([&](DatabaseConnection& sql) -> Result<AssetRecord> {
        Binds binds;
        std::string where =
            "WHERE a.deleted = 0 AND a.upload <> '' AND a.upload = (SELECT upload FROM assets "
            "WHERE id = ";
        where += binds.add(asset) + ") AND (v.main_file = " + binds.add(file);
        const auto visible = and_visible_asset("a.id");
        where += " OR substr(v.main_file, length(v.main_file) - length(CAST(" + binds.add("/" + file);
        where += " AS TEXT)) + 1) = " + binds.add("/" + file) + ")" + visible +
                 " ORDER BY v.main_file = " + binds.add(file) + " DESC LIMIT 2";
        const auto found = fetch_assets(sql, select_assets() + where, binds);
        const bool is_unique = found.size() == 1 || (found.size() == 2 && found.front().main_file == file);
        if (!is_unique) return no_asset(file);
        return found.front();
    });
}

} // namespace vitrine::server
