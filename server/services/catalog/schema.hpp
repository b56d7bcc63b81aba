#pragma once
// The tables of the catalog. Migrations run in order, each once, in one transaction; a released one is never
// edited. Written so that PostgreSQL takes the same text but for the few words in Dialect.

#include <string>
#include <vector>

namespace soci {
class session;
}

namespace vitrine::server {

// The statements of each, the first first.
std::vector<std::vector<std::string>> migrations();

// Throws StorageError where the database is of a newer Vitrine.
void migrate(soci::session& sql);

} // namespace vitrine::server
