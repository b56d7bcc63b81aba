// Signatures of the rigs of all assets, for lists of clips and characters that fit each other.
#include <algorithm>

#include "server/services/catalog/catalog_impl.hpp"

namespace vitrine::server {

std::vector<RigRow> Catalog::list_rigs(std::int64_t before, std::size_t limit) const
{
    return impl_->connections.read([&](DatabaseConnection& sql) {
        RigRow row;
        long long seq = 0;
        const long long first = before;
        const auto most = static_cast<long long>(std::clamp<std::size_t>(limit, 1, 1000));
        std::vector<RigRow> rows;
        soci::statement statement =
            (sql.prepare
                 << "SELECT a.seq, a.id, a.name, d.json FROM assets a JOIN documents d ON d.asset = a.id "
                    "AND d.version = a.version AND d.kind = 'rig' "
                    "WHERE a.deleted = 0 AND a.seq < :before AND length(d.json) <= 131072 ORDER BY a.seq "
                    "DESC LIMIT :limit",
             soci::into(seq), soci::into(row.asset), soci::into(row.name), soci::into(row.signature),
             soci::use(first), soci::use(most));
        statement.execute();
        while (statement.fetch()) {
            row.seq = seq;
            rows.push_back(row);
        }
        return rows;
    });
}

} // namespace vitrine::server
