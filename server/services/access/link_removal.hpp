#pragma once
// Share links of what goes, within a transaction of the caller.

#include "server/access/principal.hpp"

namespace vitrine::server {

struct DatabaseConnection; // server/services/database/database_connection.hpp

// Removes the links of the asset or the collection of the scope, for all processes.
void remove_links_of(DatabaseConnection& sql, const LinkScope& scope);

} // namespace vitrine::server
