// Signatures of assets, and the assets that may be like another one.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/visibility/visibility.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {

std::string_view to_string(SimilarityKind kind)
{
    constexpr std::array<std::string_view, 3> names{"mesh", "rig", "motion"};
    return names[static_cast<std::size_t>(kind)];
}

namespace {

SimilarRows fetch_similar(DatabaseConnection& sql, const std::string& statement_text, const std::string& kind,
                          std::size_t limit)
{
    SimilarRow row;
    long long seq = 0, part = 0;
    SimilarRows rows;
    PreparedStatement statement = (sql.prepare << statement_text, use(kind), into(seq), into(row.asset),
                                   into(row.name), into(part), into(row.signature));
    statement.execute();
    while (statement.fetch()) {
        row.seq = seq;
        row.part = static_cast<std::uint32_t>(part);
        rows.rows.push_back(row);
    }
    rows.is_complete = rows.rows.size() < limit;
    return rows;
}

} // namespace

void put_similarity(DatabaseConnection& sql, const std::string& asset, std::uint32_t number,
                    const std::vector<SimilarityKey>& keys)
{
    const long long version = number;
    sql << "DELETE FROM similarity_keys WHERE asset = :asset AND version = :version", use(asset),
        use(version);
    std::string kind, signature; // NOLINTBEGIN(clang-analyzer-deadcode.DeadStores)
    long long part = 0, bucket = 0, described = 0;
    PreparedStatement insert =
        (sql.prepare
             << "INSERT INTO similarity_keys (asset, version, kind, part, bucket, described, signature) "
                "VALUES (:asset, :version, :kind, :part, :bucket, :described, :signature)",
         use(asset), use(version), use(kind), use(part), use(bucket), use(described), use(signature));
    for (const auto& key : keys) {
        kind = to_string(key.kind);
        part = key.part;
        bucket = key.bucket;
        described = key.described;
        signature = key.signature;
        insert.execute(true); // reads them
    } // NOLINTEND(clang-analyzer-deadcode.DeadStores)
}

std::vector<SimilarityKey> Catalog::signatures(const std::string& asset, std::uint32_t version,
                                               SimilarityKind kind) const
{
    return impl_->connections.read([&](DatabaseConnection& sql) {
        SimilarityKey key{.kind = kind};
        const long long number = version;
        const std::string word(to_string(kind));
        long long part = 0;
        std::vector<SimilarityKey> keys;
        PreparedStatement statement =
            (sql.prepare
                 << "SELECT part, signature FROM similarity_keys WHERE asset = :asset AND version = :version "
                    "AND kind = :kind AND part = described ORDER BY part",
             use(asset), use(number), use(word), into(part), into(key.signature));
        statement.execute();
        while (statement.fetch()) {
            key.part = key.described = static_cast<std::uint32_t>(part);
            keys.push_back(key);
        }
        return keys;
    });
}

SimilarRows Catalog::find_similar(SimilarityKind kind, std::vector<std::int64_t> buckets,
                                  const std::string& except, std::size_t limit) const
{
    std::ranges::sort(buckets);
    buckets.erase(std::ranges::unique(buckets).begin(), buckets.end());
    if (buckets.empty()) return {};
    const auto text =
        fmt::format("SELECT k.seq, k.asset, k.name, d.part, d.signature FROM (SELECT DISTINCT a.seq, "
                    "s.asset, a.name, s.version, s.described FROM similarity_keys s JOIN assets a ON "
                    "a.id = s.asset AND a.version = s.version AND a.deleted = 0 "
                    "WHERE s.kind = :kind AND s.bucket IN ({}){} LIMIT {}) k "
                    "JOIN similarity_keys d ON d.asset = k.asset AND d.version = k.version AND d.kind = '{}' "
                    "AND d.part = k.described",
                    fmt::join(buckets, ","), and_visible_asset("a.id"), limit, to_string(kind));
    auto found = impl_->connections.read([&](DatabaseConnection& sql) {
        return fetch_similar(sql, text, std::string(to_string(kind)), limit);
    });
    std::erase_if(found.rows, [&](const SimilarRow& row) { return row.asset == except; });
    return found;
}

SimilarRows Catalog::find_same_file(const std::string& blob, const std::string& except,
                                    std::size_t limit) const
{
    const auto text =
        fmt::format("SELECT DISTINCT a.seq, a.id, a.name, a.version, '' FROM files f JOIN assets a ON "
                    "a.id = f.asset AND a.version = f.version AND a.deleted = 0 WHERE f.blob = :blob{} "
                    "ORDER BY a.seq DESC LIMIT {}",
                    and_visible_asset("a.id"), limit);
    auto found = impl_->connections.read(
        [&](DatabaseConnection& sql) { return fetch_similar(sql, text, blob, limit); });
    std::erase_if(found.rows, [&](const SimilarRow& row) { return row.asset == except; });
    return found;
}

} // namespace vitrine::server
