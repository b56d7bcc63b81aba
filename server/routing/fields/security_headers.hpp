#pragma once

#include "server/net/http.hpp"

namespace vitrine::server {

// Adds the security header fields of all responses.
void add_security_headers(Response& response);

} // namespace vitrine::server
