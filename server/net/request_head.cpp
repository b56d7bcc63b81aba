#include "server/net/request_head.hpp"

#include <string>

#include "loaders/base/ascii.hpp"
#include "server/net/authority.hpp"

namespace vitrine::server {
namespace {

constexpr unsigned http_1_0 = 10, http_1_1 = 11;

Request copy_fields(const RequestParser& parser)
{
    const auto& message = parser.get();
    Request request;
    request.method_name = std::string_view(message.method_string());
    request.method = parse_method(request.method_name);
    request.is_http_1_0 = message.version() == http_1_0;
    for (const auto& field : message)
        request.headers.add(std::string(field.name_string()), std::string(field.value()));
    if (auto length = parser.content_length()) request.content_length = *length;
    request.id = view_of(make_request_id());
    return request;
}

// What the end of the body depends on.
std::optional<std::string_view> framing_error(const Request& request)
{
    const auto coding = request.headers.find("Transfer-Encoding");
    if (!coding) return std::nullopt;
    if (request.is_http_1_0) return "HTTP/1.0 has no Transfer-Encoding."; // RFC 9112, 6.1
    const bool is_chunked = ascii::equal_ignoring_case(without_blanks(*coding), "chunked");
    if (!is_chunked || request.headers.count("Transfer-Encoding") != 1)
        return "The only Transfer-Encoding of this server is chunked.";
    return std::nullopt;
}

std::optional<std::string_view> host_error(const Request& request)
{
    const auto count = request.headers.count("Host");
    if (count == 0 && request.is_http_1_0) return std::nullopt;
    if (count != 1) return "Send exactly one Host field.";
    if (!is_authority(*request.headers.find("Host")))
        return "Host must be a name or an address, with or without a port.";
    return std::nullopt;
}

// `target`: as sent.
std::optional<RequestTarget> origin_target(std::string_view target, Request& request)
{
    if (target == "*") return request.method == Method::options ? parse_target("/*") : std::nullopt;
    const auto absolute = split_absolute(target);
    if (!absolute) return parse_target(target);
    if (!is_authority(absolute->authority)) return std::nullopt;
    request.headers.set("Host", std::string(absolute->authority));
    if (absolute->rest.starts_with('/')) return parse_target(absolute->rest);
    return parse_target("/" + std::string(absolute->rest));
}

} // namespace

std::expected<Request, HeadRejection> read_head(const RequestParser& parser, const NetLimits& limits)
{
    const auto reject = [](int status, std::string_view reason) {
        return std::unexpected(HeadRejection{.status = status, .reason = reason});
    };
    const std::string_view target = parser.get().target();
    const auto version = parser.get().version();
    if (target.size() > limits.max_target_bytes) return reject(414, "The URL is too long.");
    if (version != http_1_0 && version != http_1_1)
        return reject(400, "Only HTTP/1.1 and HTTP/1.0 are supported.");
    auto request = copy_fields(parser);
    if (const auto error = framing_error(request)) return reject(400, *error);
    if (const auto error = host_error(request)) return reject(400, *error);
    auto parsed = origin_target(target, request);
    if (!parsed)
        return reject(400, "The URL must be a path in percent-encoded UTF-8 with at most 64 parameters.");
    request.target = std::move(*parsed);
    return request;
}

} // namespace vitrine::server
