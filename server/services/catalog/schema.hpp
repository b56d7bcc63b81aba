#pragma once
// The tables of the catalog. Each migration runs once, in order, in one transaction; a released migration is
// never edited. The SQL is valid for PostgreSQL too, except for the few words in Dialect.

#include <string>
#include <vector>

namespace soci {
class session;
}

namespace vitrine::server {

// Returns the statements of each migration, in order.
std::vector<std::vector<std::string>> migrations();

// Throws StorageError when the database was written by a newer version of Vitrine.
void migrate(soci::session& sql);

} // namespace vitrine::server
