#pragma once
// HTTP requests and responses for handlers: plain values without sockets or parser types. A value is used by
// one thread at a time.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/access/principal.hpp"
#include "server/net/cached_response.hpp"
#include "server/net/stream_body.hpp"
#include "server/net/transport/peer.hpp"
#include "server/net/url.hpp"
#include "server/util/files.hpp"
#include "server/util/peer_socket.hpp"
#include "server/util/shared_bytes.hpp"

namespace vitrine::server {

enum class Method : std::uint8_t { get, head, post, put, patch, delete_, options, other };
std::string_view to_string(Method method);
Method parse_method(std::string_view name);

// Header fields in order of arrival; names are case-insensitive.
class Headers {
public:
    std::optional<std::string_view> find(std::string_view name) const;
    std::size_t count(std::string_view name) const;
    void add(std::string name, std::string value);
    void set(std::string_view name, std::string value); // replaces an existing value
    // As clear() and add(); the memory of the fields before is used again.
    void clear() { size_ = 0; }
    void add_copy(std::string_view name, std::string_view value);
    auto begin() const { return fields_.begin(); }
    auto end() const { return fields_.begin() + static_cast<std::ptrdiff_t>(size_); }

private:
    std::vector<std::pair<std::string, std::string>> fields_;
    std::size_t size_ = 0; // fields after these are unused memory
};

struct Request {
    Method method = Method::get;
    std::string method_name;
    bool is_http_1_0 = false; // 1.1 otherwise
    RequestTarget target;
    Headers headers;
    std::optional<std::uint64_t> content_length;
    std::string body; // read before the handler runs, if its route requires it
    std::string id;   // sent as X-Request-Id, and logged
    std::vector<std::pair<std::string, std::string>> params; // decoded values of the route's {names}

    std::shared_ptr<const PeerSocket> socket{}; // empty: not a connection
    std::shared_ptr<const Peer> peer{};         // the same
    std::shared_ptr<const TlsFacts> tls{};      // empty: the connection is not encrypted
    Principal principal{};
    bool https = false;           // the browser uses TLS, also with a trusted proxy; set with `client`
    std::string client{};         // address of the client, as far as it is known; set before a handler runs
    PeerAddress client_address{}; // the same

    // For log lines.
    std::string_view peer_text() const { return peer ? std::string_view(peer->text) : "none"; }
    // Precondition: the route has this parameter.
    const std::string& param(std::string_view name) const;
};

// The file is closed when its last slice is destroyed.
struct FileSlice {
    std::shared_ptr<const OpenFile> file;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

// SharedCachedResponse: of a response that later requests get too; the fields of the response are those of
// the cached one.
using ResponseBody = std::variant<std::string, SharedBytes, FileSlice, std::unique_ptr<EventStreamBody>,
                                  std::unique_ptr<WebSocketSession>, SharedCachedResponse>;
struct Response {
    int status = 200;
    Headers headers{};
    ResponseBody body{};
    bool close = false;                 // close the connection after the response
    std::shared_ptr<const void> hold{}; // what the body uses of limits; released with the response
};

// Clips may be those of other assets ("ASSET:NAME"), others may be attached.
bool may_show_other_assets(const Request& request);

// Removes spaces and tabs around a field's value.
std::string_view without_blanks(std::string_view text);

// Calls `matches` with each element of a field that is a list (RFC 9110, 5.6.1) until it returns true.
template <class Matches>
bool any_element(std::string_view field, Matches matches)
{
    while (!field.empty()) {
        const auto comma = std::min(field.find(','), field.size());
        if (matches(without_blanks(field.substr(0, comma)))) return true;
        field.remove_prefix(std::min(comma + 1, field.size()));
    }
    return false;
}

// Returns the size of the body; empty for streams and WebSockets.
std::optional<std::uint64_t> body_length(const ResponseBody& body);
// Returns the body if it is in memory.
std::optional<std::string_view> body_bytes(const ResponseBody& body);
// Returns status line and header fields in wire format, without Date, Connection, Transfer-Encoding and the
// empty line. Values with a control character are dropped, so that no input can split a response.
std::string serialize_fields(const Response& response);
// As serialize_fields(), complete. `chunked`: bodies of unknown length are sent in chunks; otherwise they end
// with the connection.
std::string serialize_head(const Response& response, bool keep_alive, bool chunked = true);
// Returns the time in the form of the field Date (RFC 9110, 5.6.7); valid until the next call on this thread.
std::string_view http_date();

Response text_response(int status, std::string type, std::string body);
Response bytes_response(std::string type, SharedBytes bytes);

// Returns 64 random bits in hexadecimal.
RequestId make_request_id();
inline std::string_view view_of(const RequestId& id)
{
    return {id.data(), id.size()};
}

} // namespace vitrine::server
