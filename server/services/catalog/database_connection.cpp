#include "server/services/catalog/database_connection.hpp"

#include <fmt/format.h>
#include <soci/sqlite3/soci-sqlite3.h>

namespace vitrine::server {

DatabaseConnection::DatabaseConnection(const std::filesystem::path& file)
{
    auto& sql = static_cast<soci::session&>(*this);
    sql.open(soci::sqlite3, fmt::format("dbname=\"{}\" timeout=10", file.native()));
    sql << "PRAGMA busy_timeout = 10000";
    sql << "PRAGMA journal_mode = WAL";
    sql << "PRAGMA synchronous = FULL"; // a commit that has returned survives a power failure
    sql << "PRAGMA foreign_keys = ON";
    sql << "PRAGMA temp_store = MEMORY";
}

} // namespace vitrine::server
