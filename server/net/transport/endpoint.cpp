#include "server/net/transport/endpoint.hpp"

#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>

#include "loaders/base/parse_whole.hpp"

namespace vitrine::server {

bool Endpoint::is_loopback() const
{
    if (host == "localhost") return true;
    boost::system::error_code error;
    auto address = boost::asio::ip::make_address(host, error);
    return !error && address.is_loopback();
}

std::string Endpoint::url() const
{
    bool v6 = host.find(':') != host.npos;
    return v6 ? fmt::format("http://[{}]:{}", host, port) : fmt::format("http://{}:{}", host, port);
}

std::optional<Endpoint> parse_endpoint(std::string_view text)
{
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
