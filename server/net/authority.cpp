#include "server/net/authority.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include <boost/asio/ip/address_v6.hpp>

#include "loaders/base/ascii.hpp"
#include "loaders/base/parse_whole.hpp"
#include "server/net/url.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_name_bytes = 255; // of a name in DNS

bool is_name(std::string_view text)
{
    return !text.empty() && text.size() <= max_name_bytes && std::ranges::all_of(text, is_unreserved);
}

// Without the brackets, and without a zone: it means something on the machine of the client only.
bool is_ipv6(std::string_view text)
{
    boost::system::error_code error;
    if (text.size() > 45 || text.contains('%')) return false;
    boost::asio::ip::make_address_v6(std::string(text), error);
    return !error;
}

// ":", which RFC 3986 allows, or ":PORT"; empty: none.
bool is_port(std::string_view text)
{
    if (text.empty() || text == ":") return true;
    const auto digits = text.substr(1);
    const bool has_digits = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    return text.front() == ':' && has_digits && digits.size() <= 5 && parse_whole<std::uint16_t>(digits);
}

} // namespace

bool is_authority(std::string_view text)
{
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        return end != text.npos && is_ipv6(text.substr(1, end - 1)) && is_port(text.substr(end + 1));
    }
    const auto colon = std::min(text.find(':'), text.size());
    return is_name(text.substr(0, colon)) && is_port(text.substr(colon));
}

std::optional<AbsoluteTarget> split_absolute(std::string_view target)
{
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (!ascii::equal_ignoring_case(target.substr(0, scheme.size()), scheme)) continue;
        target.remove_prefix(scheme.size());
        const auto end = std::min(target.find_first_of("/?"), target.size());
        return AbsoluteTarget{.authority = target.substr(0, end), .rest = target.substr(end)};
    }
    return std::nullopt;
}

} // namespace vitrine::server
