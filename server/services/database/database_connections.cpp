#include "server/services/database/database_connections.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include "server/util/error.hpp"

namespace vitrine::server {
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
try : writer_(file), tracker_(writer_, generations_) {
    for (unsigned i = 0; i < std::max(readers, 1u); ++i)
        readers_.push_back(std::make_unique<DatabaseConnection>(file));
} catch (const soci::soci_error& error) {
    rethrow_as_storage_error(error);
}

DatabaseConnections::Reader::Reader(DatabaseConnections& pool) : pool_(pool)
{
    std::unique_lock lock(pool_.readers_mutex_);
    pool_.reader_is_free_.wait(lock, [&] { return !pool_.readers_.empty(); });
    connection_ = std::move(pool_.readers_.back()); // the one whose memory is in the caches
    pool_.readers_.pop_back();
}

DatabaseConnections::Reader::~Reader()
{
    {
        const std::lock_guard lock(pool_.readers_mutex_);
        pool_.readers_.push_back(std::move(connection_));
    }
    pool_.reader_is_free_.notify_one();
}

void DatabaseConnections::set_sync(Sync sync)
{
    if (sync == sync_) return;
    writer_ << (sync == Sync::full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    sync_ = sync;
}

} // namespace vitrine::server
