#pragma once
// Rows of the table of libraries, in transactions of the caller.

#include <string>
#include <string_view>
#include <vector>

#include "server/services/database/database_connection.hpp"
#include "server/services/libraries/library.hpp"

namespace vitrine::server {

// `end`: of the statement, with at most one value :id.
std::vector<Library> fetch_libraries(DatabaseConnection& sql, std::string_view end,
                                     const std::string* id = nullptr);

} // namespace vitrine::server
