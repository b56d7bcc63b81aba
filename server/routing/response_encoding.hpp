#pragma once
// Compressed forms of responses, their entity tags, and conditions of requests on these (RFC 9110, 8.8.3
// and 13.1). Pure functions; compression takes milliseconds: not on an I/O thread.

#include <optional>
#include <string>

#include "server/net/http.hpp"
#include "server/routing/content_encoding.hpp"

namespace vitrine::server {

// The encoding of the response to one request, and the conditions that the request has on it.
class ResponseEncoding {
public:
    // Replaces tags of compressed forms in If-Match, and of the chosen form in If-None-Match, by those that
    // handlers know. `is_text`: Route::is_text.
    ResponseEncoding(Request& request, bool is_text);

    Encoding encoding() const { return encoding_; } // what the request accepts, also for other than text
    // Compresses the body of a 200 if that makes it smaller, and changes its tag; gives a 304 the tag that
    // the request has named. Adds Vary. `known`: an earlier response, used if it has the same tag; may be
    // null.
    void apply(Response& response, const SharedCachedResponse& known) const;

private:
    void compress_body(Response& response, const SharedCachedResponse& known) const;

    bool is_text_ = false;
    Encoding encoding_ = Encoding::identity;
    std::string known_tags_; // If-None-Match as sent
};

} // namespace vitrine::server
