#pragma once
// Compressed forms of responses, their entity tags, and conditions of requests on these (RFC
// 9110, 8.4, 8.8.3, 12.5.3 and 13.1). Pure functions; compression takes milliseconds: not on an I/O thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/net/http.hpp"

namespace vitrine::server {

enum class Encoding : std::uint8_t { identity, gzip, brotli };
std::string_view to_string(Encoding encoding); // the word of Content-Encoding

// Returns brotli, gzip or identity: the most compact that Accept-Encoding permits. Requests that a page of
// another site has sent (Sec-Fetch-Site: cross-site) get identity, so that the size of a response that
// contains both the library and words of the request (a search) tells that page as little as possible.
Encoding choose_encoding(const Headers& request);

// Returns whether compression makes a body of this Content-Type much smaller.
bool is_compressible(std::string_view content_type);

// Returns the compressed bytes.
std::string compress(std::string_view bytes, Encoding encoding);

// Returns the strong entity tag of an encoded form of what `etag` names: "abc" becomes "abc-br" or
// "abc-gzip".
std::string encoded_etag(std::string_view etag, Encoding encoding);
// Returns the field's list of tags (If-Match, If-None-Match) with each tag of this encoded form replaced by
// the tag of what was encoded.
std::string decoded_etags(std::string_view field, Encoding encoding);

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
