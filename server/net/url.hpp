#pragma once
// Request targets: percent-decoding, path segments, queries. Untrusted text in, valid UTF-8 out.
//
// Not Boost.URL (1.81, parse_origin_form). It accepts escapes that decode to control characters (including
// NUL) or to invalid UTF-8, so both checks would be needed after it. It rejects characters that browsers send
// unescaped, because they follow the WHATWG's rules and not RFC 3986: [ ] { } | ^ ` " < > and bytes above 127
// in paths or queries, which names of files and joints contain. Its segment and parameter lists differ too:
// "/" has no segment, and "?" and "&&" have parameters without a name. tests/unit/server/net/url_test.cpp has
// the inputs.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vitrine::server {

using Query = std::vector<std::pair<std::string, std::string>>;

struct RequestTarget {
    std::string path;                  // as sent, undecoded, without the query
    std::vector<std::string> segments; // decoded, one per '/': "/v1/assets/" has {"v1", "assets", ""}
    Query query;                       // decoded, in order
    std::string raw_query;             // as sent, without the '?'
};

// Whether a character is unreserved (RFC 3986, 2.3): an ASCII letter or digit, - . _ or ~.
bool is_unreserved(char c);
// Returns empty for an invalid escape, a control character, or invalid UTF-8. `plus_is_space`: form encoding.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space = false);
// Escapes every byte that is not unreserved (RFC 3986, 2.3); keeps '/' if `keep_slash` is set.
std::string percent_encode(std::string_view text, bool keep_slash = false);

// Parses the origin form ("/path?query"); at most 256 segments and 64 query parameters.
std::optional<RequestTarget> parse_target(std::string_view target);

// Joins segments to a path relative to a root; empty when it could leave the root ("..", ".", "", '/' or '\'
// inside).
std::optional<std::string> join_safely(const std::vector<std::string>& segments, std::size_t first);

} // namespace vitrine::server
