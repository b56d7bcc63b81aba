#pragma once
// Compressed responses (RFC 9110, 8.4 and 12.5.3). Pure functions.

#include <cstdint>
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

} // namespace vitrine::server
