// One of the two databases of a move.

#include <algorithm>

#include <unistd.h>

#include <fmt/format.h>

#include "server/services/database/database_connections.hpp"
#include "server/services/moves/catalog_move.hpp"

namespace vitrine::server {
namespace {

// Tells the connections of a move from those of servers and of other moves.
std::string with_name(const std::string& location)
{
    if (!is_postgres(location) || location.contains("application_name=")) return location;
    return fmt::format("{}{}application_name=vitrine-move-{}", location, location.contains('?') ? '&' : '?',
                       ::getpid());
}

} // namespace

MoveEnd::MoveEnd(const std::string& location)
    : name_(printable_location(location)), dialect_(make_dialect(with_name(location)))
{
    run([&] {
        sql_ = dialect_->connect(true);
        rows_ = make_bulk_access(*sql_);
    });
}

void MoveEnd::run(const std::function<void()>& work)
{
    const StatementLimit limit(StatementLimit::of_tables);
    try {
        work();
    } catch (const soci::soci_error& error) {
        const auto storage = dialect_->to_storage_error(error);
        throw MoveError(storage.kind, fmt::format("{}: {}", name_, storage.what()));
    } catch (const MoveError&) {
        throw;
    } catch (const StorageError& error) {
        throw MoveError(error.kind, fmt::format("{}: {}", name_, error.what()));
    }
}

std::uint64_t MoveEnd::count(std::string_view table)
{
    long long rows = 0;
    *sql_ << fmt::format("SELECT COUNT(*) FROM {}", table), soci::into(rows);
    return static_cast<std::uint64_t>(rows);
}

bool MoveEnd::has_table(std::string_view table)
{
    const auto tables = rows_->tables();
    return std::ranges::find(tables, table) != tables.end();
}

BulkTable MoveEnd::describe(const MovedTable& moved)
{
    return {std::string(moved.name), moved.key, rows_->columns(std::string(moved.name))};
}

std::vector<NamedBlob> list_named_blobs(MoveEnd& end)
{
    std::vector<NamedBlob> blobs;
    end.run([&] {
        std::string hash;
        long long size = 0, is_of_library = 0;
        PreparedStatement select =
            (end.sql().prepare
                 << "SELECT f.blob, MAX(f.size_bytes), MAX(CASE WHEN EXISTS (SELECT 1 FROM library_files l "
                    "WHERE l.asset = f.asset) THEN 1 ELSE 0 END) FROM files f GROUP BY f.blob ORDER BY "
                    "f.blob",
             soci::into(hash), soci::into(size), soci::into(is_of_library));
        for (select.execute(); select.fetch();)
            blobs.push_back({hash, static_cast<std::uint64_t>(size), is_of_library != 0});
    });
    return blobs;
}

std::vector<std::string> list_assets_of_blob(MoveEnd& end, const std::string& hash, unsigned limit)
{
    std::vector<std::string> assets;
    end.run([&] {
        std::string asset;
        PreparedStatement select =
            (end.sql().prepare << fmt::format(
                 "SELECT DISTINCT asset FROM files WHERE blob = :blob ORDER BY asset LIMIT {}", limit),
             soci::into(asset), soci::use(hash));
        for (select.execute(); select.fetch();)
            assets.push_back(asset);
    });
    return assets;
}

} // namespace vitrine::server
