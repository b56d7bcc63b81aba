#pragma once
// Entity tags computed from the body, for responses whose handler sets none.

#include "server/net/http.hpp"

namespace vitrine::server {

// Sets the ETag of a 200 to GET or HEAD with a complete body, and turns it into a 304 if If-None-Match
// contains the tag. Responses with an ETag or no-store, files and streams are not changed. Hashes the body:
// not on an I/O thread.
void revalidate(const Request& request, Response& response);

} // namespace vitrine::server
