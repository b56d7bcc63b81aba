#include "server/services/catalog/blob_ledger.hpp"

#include "server/services/catalog/catalog_impl.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr long long max_damaged_blobs = 10'000; // further ones are not recorded

std::string find_identity(DatabaseConnection& sql)
{
    std::string identity;
    sql << "SELECT value FROM catalog_settings WHERE name = 'identity'", into(identity);
    return sql.got_data() ? identity : std::string();
}

std::string identity_of(DatabaseConnections& connections)
{
    if (auto known = connections.read(find_identity); !known.empty()) return known;
    return connections.write([](DatabaseConnection& sql) {
        const auto made = new_id("catalog");
        sql << "INSERT INTO catalog_settings (name, value) VALUES ('identity', :value) "
               "ON CONFLICT (name) DO NOTHING",
            use(made);
        return find_identity(sql); // that of another process that was faster
    });
}

} // namespace

BlobLedger::BlobLedger(Catalog& catalog)
    : catalog_(catalog), identity_(identity_of(catalog.impl_->connections))
{
}

bool BlobLedger::is_damaged(const std::string& blob) const
{
    return catalog_.impl_->connections.read([&](DatabaseConnection& sql) {
        long long count = 0;
        sql << "SELECT COUNT(*) FROM damaged_blobs WHERE blob = :blob", into(count), use(blob);
        return count > 0;
    });
}

void BlobLedger::set_damaged(const std::string& blob, bool damaged)
{
    catalog_.impl_->connections.write([&](DatabaseConnection& sql) {
        if (damaged)
            sql << "INSERT INTO damaged_blobs (blob, found) SELECT :blob, now_micros() "
                   "WHERE (SELECT COUNT(*) FROM damaged_blobs) < :limit ON CONFLICT (blob) DO NOTHING",
                use(blob), use(max_damaged_blobs);
        else
            sql << "DELETE FROM damaged_blobs WHERE blob = :blob", use(blob);
    });
}

} // namespace vitrine::server
