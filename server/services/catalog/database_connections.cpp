#include "server/services/catalog/database_connections.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "server/util/error.hpp"

namespace vitrine::server {
namespace {

void open(soci::session& sql, const std::filesystem::path& file)
{
    sql.open(soci::sqlite3, fmt::format("dbname=\"{}\" timeout=10", file.native()));
    sql << "PRAGMA busy_timeout = 10000";
    sql << "PRAGMA journal_mode = WAL";
    sql << "PRAGMA synchronous = FULL"; // a commit that has returned survives a power failure
    sql << "PRAGMA foreign_keys = ON";
    sql << "PRAGMA temp_store = MEMORY";
}

} // namespace

Transaction::Transaction(soci::session& sql) : sql_(sql)
{
    sql_ << "BEGIN IMMEDIATE";
}

Transaction::~Transaction()
{
    if (!open_) return;
    try {
        sql_ << "ROLLBACK";
    } catch (const soci::soci_error&) { // SQLite has rolled back already, for instance when the disk is full
    }
}

void Transaction::commit()
{
    sql_ << "COMMIT";
    open_ = false;
}

void rethrow_as_storage_error(const soci::soci_error& error)
{
    using enum StorageError::Kind;
    auto kind = failed;
    if (const auto* sqlite = dynamic_cast<const soci::sqlite3_soci_error*>(&error)) {
        if (sqlite->result() == SQLITE_FULL) kind = full;
        if (sqlite->result() == SQLITE_READONLY || sqlite->result() == SQLITE_PERM) kind = read_only;
    }
    throw StorageError(kind, fmt::format("catalog: {}", error.what()));
}

DatabaseConnections::DatabaseConnections(const std::filesystem::path& file, unsigned readers)
    : readers_(std::max(readers, 1u))
{
    try {
        open(writer_, file);
        for (std::size_t i = 0; i < std::max(readers, 1u); ++i)
            open(readers_.at(i), file);
    } catch (const soci::soci_error& error) {
        rethrow_as_storage_error(error);
    }
}

void DatabaseConnections::set_sync(Sync sync)
{
    if (sync == sync_) return;
    writer_ << (sync == Sync::full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    sync_ = sync;
}

} // namespace vitrine::server
