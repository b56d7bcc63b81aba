#pragma once
// A connection to the database with its prepared statements. Used by one thread at a time.

#include <filesystem>

#include <soci/soci.h>

#include "server/services/catalog/statement_cache.hpp"

namespace vitrine::server {

struct DatabaseConnection : soci::session {
    explicit DatabaseConnection(const std::filesystem::path& file); // throws soci::soci_error

    StatementCache statements;
};

} // namespace vitrine::server
