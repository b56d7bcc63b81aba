#pragma once
// The tables of the catalog. Each migration runs once, in order, in one transaction; a released migration is
// never edited. The SQL is valid for both databases, except for the few words of their Dialect.

#include <string>
#include <vector>

#include "server/services/database/dialect.hpp"

namespace vitrine::server {

// Returns the statements of each migration, in order.
std::vector<std::vector<std::string>> migrations(const Dialect& dialect);

// Processes that draw and import, and what they are asked to draw.
std::vector<std::string> workers_migration(const Dialect& dialect);

// Throws StorageError when the database was written by a newer version of Vitrine. Several processes may call
// it at the same time.
void migrate(DatabaseConnection& sql);

} // namespace vitrine::server
