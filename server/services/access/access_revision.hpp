#pragma once
// How processes learn that tokens, users or sessions were changed.

#include <string>

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp
struct DatabaseConnection; // server/services/database/database_connection.hpp

// In the transaction of the change: every process sees it by another revision, and hears of it by a signal
// with this topic.
inline constexpr const char* access_topic = "access";
void note_access_change(DatabaseConnection& sql);
// Blocking. Throws StorageError.
std::string access_revision(DatabaseConnections& database);

} // namespace vitrine::server
