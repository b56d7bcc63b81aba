#pragma once
// Method, target and fields of a request whose header Beast has parsed, checked by RFC 9112.

#include <expected>
#include <string_view>

#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>

#include "server/net/http.hpp"
#include "server/net/limits.hpp"

namespace vitrine::server {

using RequestParser = boost::beast::http::request_parser<boost::beast::http::buffer_body>;

struct HeadRejection {
    int status = 400;
    std::string_view reason; // one sentence, static text
};

// Returns the request with a new id, without socket and peer, or why it is not served; then the connection
// must be closed, because the start of the next request may be unknown. The authority of an absolute target
// replaces the field Host (RFC 9112, 3.2.2).
std::expected<Request, HeadRejection> read_head(const RequestParser& parser, const NetLimits& limits);

} // namespace vitrine::server
