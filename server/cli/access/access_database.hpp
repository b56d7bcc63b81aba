#pragma once
// The database of a server, for commands that change who may use it, also while servers run.

#include <filesystem>
#include <string>

#include <CLI/App.hpp>

#include "server/services/database/database_connections.hpp"

namespace vitrine::cli {

struct AccessDatabase {
    std::filesystem::path config; // --config, which is read before the command runs
    std::filesystem::path data;   // empty: the default data folder
    std::string database;         // of --database
};

// Adds the options --config, --data and --database.
void declare_database(CLI::App& app, AccessDatabase& place);
// Throws std::runtime_error with one sentence: there is no catalog; StorageError.
server::DatabaseConnections open_database(const AccessDatabase& place);

} // namespace vitrine::cli
