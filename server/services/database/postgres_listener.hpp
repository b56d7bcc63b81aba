#pragma once
// Receives PostgreSQL's notifications of commits by other processes.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/database/dialect.hpp"

struct pg_conn; // PGconn of libpq

namespace vitrine::server {

pg_conn* postgres_handle(DatabaseConnection& connection);

// Ids separated by blanks; empty optional: all ('*' is among them).
std::optional<std::vector<std::string>> parse_changed_assets(std::string_view noted);

// Dialect::listen() of PostgreSQL, on a connection of its own. `process`: whose commits are known already.
// Connects again, after a growing pause, when the connection is lost.
void listen_to_postgres(const Dialect& dialect, const std::string& process, const std::stop_token& stop,
                        const DatabaseListener& listener);

} // namespace vitrine::server
