#pragma once
// Entity tags of responses whose handlers set none, and 304.

#include "server/net/http.hpp"

namespace vitrine::server {

// Sets the ETag of a 200 to GET or HEAD with a complete body whose handler sets none, and turns it into a 304
// if If-None-Match contains the tag. Responses with no-store, files and streams are not changed. Hashes the
// body: not on an I/O thread.
void revalidate(const Request& request, Response& response);

// Returns the 304 for a request that has this 200 already.
Response unchanged(const Response& response);

} // namespace vitrine::server
