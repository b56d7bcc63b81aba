#include "server/services/uploads/quota_rows.hpp"

#include "server/services/visibility/visibility.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

std::uint64_t bytes_of(long long number)
{
    return static_cast<std::uint64_t>(number);
}

} // namespace

std::uint64_t count_stored(DatabaseConnection& sql, const std::string& user)
{
    long long bytes = 0;
    if (user.empty())
        sql << "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM "
               "(SELECT MAX(size_bytes) AS bytes FROM files GROUP BY blob) AS contents",
            into(bytes);
    else
        sql << "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM (SELECT MAX(f.size_bytes) AS bytes "
               "FROM versions v JOIN files f ON f.asset = v.asset AND f.version = v.number "
               "WHERE v.owner = :owner GROUP BY f.blob) AS contents",
            into(bytes), use(user);
    return bytes_of(bytes);
}

std::map<std::string, std::uint64_t> count_stored_by_user(DatabaseConnection& sql)
{
    std::map<std::string, std::uint64_t> users;
    std::string owner;
    long long bytes = 0;
    PreparedStatement rows =
        (sql.prepare << "SELECT owner, CAST(SUM(bytes) AS BIGINT) FROM (SELECT v.owner AS owner, "
                        "MAX(f.size_bytes) AS bytes FROM versions v JOIN files f ON f.asset = v.asset AND "
                        "f.version = v.number WHERE v.owner <> '' GROUP BY v.owner, f.blob) AS contents "
                        "GROUP BY owner",
         into(owner), into(bytes));
    for (rows.execute(); rows.fetch();)
        users.emplace(owner, bytes_of(bytes));
    return users;
}

std::uint64_t count_open(DatabaseConnection& sql, const std::string& user)
{
    long long bytes = 0;
    sql << "SELECT CAST(COALESCE(SUM(length), 0) AS BIGINT) FROM open_uploads "
           "WHERE expires > now_micros() AND concat NOT LIKE 'final;%' AND (:user = '' OR owner = :same)",
        into(bytes), use(user), use(user);
    return bytes_of(bytes);
}

std::uint64_t count_reserved(DatabaseConnection& sql, const std::string& user, const std::string& except,
                             long long since)
{
    const std::string column = user.empty() ? "bytes" : "owner_bytes";
    long long bytes = 0;
    sql << "SELECT CAST(COALESCE(SUM(" + column +
               "), 0) AS BIGINT) FROM storage_reservations WHERE id <> :except "
               "AND expires > now_micros() AND (settled = 0 OR settled > :since) "
               "AND (:user = '' OR owner = :same)",
        into(bytes), use(except), use(since), use(user), use(user);
    return bytes_of(bytes);
}

bool is_stored(DatabaseConnection& sql, const std::string& blob, const std::string& user)
{
    long long one = 0;
    if (user.empty())
        sql << "SELECT 1 FROM files WHERE blob = :blob LIMIT 1", into(one), use(blob);
    else
        sql << "SELECT 1 FROM files f JOIN versions v ON v.asset = f.asset AND v.number = f.version "
               "WHERE f.blob = :blob AND v.owner = :owner LIMIT 1",
            into(one), use(blob), use(user);
    return sql.got_data();
}

bool is_known_source(DatabaseConnection& sql, const std::string& source_hash)
{
    long long one = 0;
    sql << "SELECT 1 FROM versions v JOIN assets a ON a.id = v.asset AND a.version = v.number WHERE "
           "v.source = :source" +
               and_visible_asset("a.id") + " LIMIT 1",
        into(one), use(source_hash);
    return sql.got_data();
}

// As Catalog::create_version() decides.
bool is_known_version(DatabaseConnection& sql, const std::string& asset, const std::string& source_hash)
{
    long long one = 0;
    sql << "SELECT 1 FROM versions v JOIN assets a ON a.id = v.asset WHERE v.source = :source AND "
           "v.asset = :asset AND (v.status <> 'failed' OR v.number >= a.version) LIMIT 1",
        into(one), use(source_hash), use(asset);
    return sql.got_data();
}

} // namespace vitrine::server
