#include "server/services/audit/acting_user.hpp"

#include "server/services/database/database_connection.hpp"

namespace vitrine::server {

std::string find_user_of(DatabaseConnection& sql, std::string_view principal)
{
    constexpr std::string_view user = "user:", token = "token:";
    if (principal.starts_with(user)) return std::string(principal.substr(user.size()));
    if (!principal.starts_with(token)) return {};
    const std::string id(principal.substr(token.size()));
    std::string owner;
    sql << "SELECT owner FROM access_tokens WHERE id = :id", soci::into(owner), soci::use(id);
    return sql.got_data() ? owner : std::string();
}

} // namespace vitrine::server
