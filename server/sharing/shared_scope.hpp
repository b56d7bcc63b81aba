#pragma once
// What requests by share links, signed URLs and grants on collections get. Any thread.

#include <optional>

#include "api/problem.hpp"
#include "server/access/principal.hpp"
#include "server/net/http.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp
class LinkTable;           // server/services/access/link_table.hpp

// 404 if a request by a share link names an asset or a collection that the link does not show, whether it
// exists or not. Precondition: the guard has let it pass. Blocking. Throws StorageError.
std::optional<api::Problem> check_shared_scope(const Request& request, Sharing sharing,
                                               const LinkTable& links);

// The problem of a request that names an asset or collection for which neither the role of its principal nor
// a grant has the access: 404, as for one that does not exist, if the principal may not read it, otherwise
// 403. Precondition: the guard has let it pass, and the principal's role does not have the access of the
// route. Blocking. Throws StorageError.
std::optional<api::Problem> check_granted_scope(const Request& request, const RouteRules& route,
                                                DatabaseConnections& database);

// Lets shared caches and pages of other origins have a picture until the URL expires.
void publish_signed_picture(const Principal& principal, Response& response);

} // namespace vitrine::server
