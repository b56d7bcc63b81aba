#pragma once
// Entity tags for the answers whose handler knows none before it is done: a hash of the body.

#include "server/net/http.hpp"

namespace vitrine::server {

// Gives a 200 to GET or HEAD with a whole body its ETag, and makes it a 304 where If-None-Match names that.
// Left alone: what brings its own tag, what is no-store, files and streams. Hashes the body: not on an io
// thread.
void revalidate(const Request& request, Response& response);

} // namespace vitrine::server
