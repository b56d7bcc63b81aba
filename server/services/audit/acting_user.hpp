#pragma once
// The user for whom a principal acts.

#include <string>
#include <string_view>

namespace vitrine::server {

struct DatabaseConnection; // server/services/database/database_connection.hpp

// `principal`: to_text() of it. Returns the id of the user, also for a token that stands for one; empty:
// none.
std::string find_user_of(DatabaseConnection& sql, std::string_view principal);

} // namespace vitrine::server
