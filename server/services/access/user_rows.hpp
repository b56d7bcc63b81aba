#pragma once
// Rows of users, within a transaction of the caller.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/access/user_table.hpp"

namespace vitrine::server {

struct DatabaseConnection; // server/services/database/database_connection.hpp

bool has_byte_below(std::string_view text, char least); // or a delete character

// `condition`: ends the statement; it has the placeholder :key.
std::vector<User> fetch_users(DatabaseConnection& sql, const std::string& condition, const std::string& key);
std::optional<User> find_user(DatabaseConnection& sql, const std::string& condition, const std::string& key);
bool is_name_in_use(DatabaseConnection& sql, const std::string& name, const std::string& by_other_than);

// Errors: conflict `too_many_users`.
Result<User> add_user(DatabaseConnection& sql, User user);
void update_user(DatabaseConnection& sql, const User& user);
// Returns what has changed, for the audit log.
std::string apply_change(const UserChange& change, User& user);
// With the tokens that stand for the user, and those that devices may still ask for. `kept`: a session that
// goes on.
void end_sessions(DatabaseConnection& sql, const std::string& user, const std::string& kept);

} // namespace vitrine::server
