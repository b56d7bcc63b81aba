#include "server/net/transport/endpoint.hpp"

#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>

#include "loaders/base/parse_whole.hpp"
#include "server/net/transport/unix_socket.hpp"

namespace vitrine::server {

bool Endpoint::is_loopback() const
{
    if (is_unix()) return true;
    if (host == "localhost") return true;
    boost::system::error_code error;
    auto address = boost::asio::ip::make_address(host, error);
    return !error && address.is_loopback();
}

std::string Endpoint::url() const
{
    if (is_unix()) return "unix:" + socket_path;
    const bool v6 = host.find(':') != host.npos;
    const auto* const scheme = tls ? "https" : "http";
    return v6 ? fmt::format("{}://[{}]:{}", scheme, host, port)
              : fmt::format("{}://{}:{}", scheme, host, port);
}

std::optional<Endpoint> parse_endpoint(std::string_view text)
{
    constexpr std::string_view unix_scheme = "unix:";
    if (text.starts_with(unix_scheme)) {
        const auto path = text.substr(unix_scheme.size());
        const bool fits = !path.empty() && path.size() <= max_socket_path_bytes && !path.contains('\0');
        return fits ? std::optional(Endpoint{.socket_path = std::string(path)}) : std::nullopt;
    }
    auto colon = text.rfind(':');
    if (colon == text.npos) return std::nullopt;
    auto port = parse_whole<std::uint16_t>(text.substr(colon + 1));
    if (!port) return std::nullopt;
    Endpoint endpoint{.host = std::string(text.substr(0, colon)), .port = *port};
    auto& host = endpoint.host;
    if (host.starts_with('[') != host.ends_with(']')) return std::nullopt;
    if (host.starts_with('[')) {
        host = host.substr(1, host.size() - 2);
    } else if (host.find(':') != host.npos) {
        return std::nullopt;
    }
    if (host.empty()) host = "127.0.0.1";
    return endpoint;
}

} // namespace vitrine::server
