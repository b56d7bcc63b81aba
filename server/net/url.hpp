#pragma once
// Request targets: percent-decoding, path segments, queries. Hostile text in, valid UTF-8 out.
//
// Not Boost.URL (1.81, parse_origin_form). It accepts escapes whose bytes are a control character, NUL
// included, or no UTF-8, so that both checks would have to follow it. It refuses what browsers send without
// escaping it, because they follow the WHATWG's rules and not RFC 3986: [ ] { } | ^ ` " < > and bytes above
// 127 in paths or queries, which names of files and joints contain. Its lists of segments and parameters
// differ too: "/" has no segment, and "?" and "&&" have parameters without a name.
// tests/unit/server/net_url_test.cpp has the inputs.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vitrine::server {

using Query = std::vector<std::pair<std::string, std::string>>;

struct Target {
    std::string path;                  // as sent, undecoded, without the query
    std::vector<std::string> segments; // decoded, one per '/': "/v1/assets/" has {"v1", "assets", ""}
    Query query;                       // decoded, in order
    std::string raw_query;             // as sent, without the '?'
};

// Empty: a broken escape, a control character, or not UTF-8. `plus_is_space` as forms encode.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space = false);
// Every byte that is not unreserved (RFC 3986, 2.3) escaped; '/' stays when `keep_slash`.
std::string percent_encode(std::string_view text, bool keep_slash = false);

bool is_utf8(std::string_view text);

// Origin form only ("/path?query"); at most 256 segments and 64 query parameters.
std::optional<Target> parse_target(std::string_view target);

// Segments as a path below some root; empty when one could leave it ("..", ".", "", '/' or '\' inside).
std::optional<std::string> join_safely(const std::vector<std::string>& segments, std::size_t first);

} // namespace vitrine::server
