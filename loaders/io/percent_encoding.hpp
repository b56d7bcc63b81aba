#pragma once
// Percent-encoding (RFC 3986) of the URIs in models. URLs of requests are decoded by server/net/url.hpp,
// which rejects what is kept here, control characters and invalid UTF-8.

#include <string>
#include <string_view>

namespace vitrine::io {

// Decodes "%20" to a space and so on; a '%' that starts no valid sequence is kept.
std::string percent_decode(std::string_view text);

} // namespace vitrine::io
