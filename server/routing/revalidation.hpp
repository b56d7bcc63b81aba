#pragma once
// Entity tags of responses whose handlers set none, 304 and 412.

#include <optional>

#include "api/problem.hpp"
#include "server/net/http.hpp"

namespace vitrine::server {

// Sets the ETag of a 200 to GET or HEAD with a complete body whose handler sets none, and turns it into a 304
// if If-None-Match contains the tag. Responses with no-store, files and streams are not changed. Hashes the
// body: not on an I/O thread.
void revalidate(const Request& request, Response& response);

// Returns 412 for GET and HEAD with If-Match if the response has another entity tag (RFC 9110, 13.1.1).
std::optional<api::Problem> check_if_match(const Request& request, const Response& response);

// Returns the 304 for a request that has this 200 already.
Response unchanged(const Response& response);

} // namespace vitrine::server
