#include "server/net/proxies/forwarded.hpp"

#include <algorithm>
#include <ranges>
#include <vector>

#include "loaders/base/ascii.hpp"

namespace vitrine::server {
namespace {

namespace ip = boost::asio::ip;

constexpr std::size_t max_hops = 64; // further ones on the left are not looked at

std::string_view trimmed_blanks(std::string_view text)
{
    return ascii::trimmed(text, [](char c) { return c == ' ' || c == '\t'; });
}

// Splits at `separator` outside of quoted strings (RFC 9110, 5.6.4).
std::vector<std::string_view> split_unquoted(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    bool is_quoted = false;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at == text.size() || (!is_quoted && text[at] == separator)) {
            parts.push_back(trimmed_blanks(text.substr(begin, at - begin)));
            begin = at + 1;
        } else if (text[at] == '"') {
            is_quoted = !is_quoted;
        } else if (is_quoted && text[at] == '\\' && at + 1 < text.size()) {
            ++at;
        }
    }
    return parts;
}

std::string without_quotes(std::string_view text)
{
    if (text.size() < 2 || !text.starts_with('"') || !text.ends_with('"')) return std::string(text);
    std::string plain;
    for (std::size_t at = 1; at + 1 < text.size(); ++at) {
        if (text[at] == '\\' && at + 2 < text.size()) ++at;
        plain += text[at];
    }
    return plain;
}

// "192.0.2.1", "192.0.2.1:80", "2001:db8::1", "[2001:db8::1]:80".
std::optional<ip::address> parse_node(std::string_view node)
{
    const bool has_brackets = node.starts_with('[');
    if (has_brackets) {
        node = node.substr(1, node.find(']') - 1);
    } else if (std::ranges::count(node, ':') == 1) {
        node = node.substr(0, node.find(':'));
    }
    boost::system::error_code error;
    const auto address = ip::make_address(std::string(node), error);
    if (error || (has_brackets && !address.is_v6())) return std::nullopt;
    return address;
}

struct Hop {
    std::string node;
    std::string proto{};
    std::string host{};
};

std::vector<Hop> hops_of_list(std::string_view addresses)
{
    std::vector<Hop> hops;
    for (const auto node : split_unquoted(addresses, ','))
        if (!node.empty()) hops.push_back({.node = std::string(node)});
    return hops;
}

std::vector<Hop> hops_of_forwarded(std::string_view field)
{
    std::vector<Hop> hops;
    for (const auto element : split_unquoted(field, ',')) {
        Hop hop;
        for (const auto pair : split_unquoted(element, ';')) {
            const auto equals = pair.find('=');
            if (equals == pair.npos) continue;
            const auto name = ascii::lower(trimmed_blanks(pair.substr(0, equals)));
            auto value = without_quotes(trimmed_blanks(pair.substr(equals + 1)));
            if (name == "for")
                hop.node = std::move(value);
            else if (name == "proto")
                hop.proto = std::move(value);
            else if (name == "host")
                hop.host = std::move(value);
        }
        hops.push_back(std::move(hop));
    }
    return hops;
}

// Of "https, http", which proxies in a row have written, the first.
std::string first_of_list(std::string_view list)
{
    return ascii::lower(trimmed_blanks(list.substr(0, list.find(','))));
}

// Goes from the right to the first hop that is not trusted; returns the last one that was looked at.
const Hop* follow_hops(const std::vector<Hop>& hops, const TrustedProxies& proxies, PeerAddress& client)
{
    const Hop* last = nullptr;
    for (const auto& hop : hops | std::views::reverse | std::views::take(max_hops)) {
        last = &hop;
        const auto address = parse_node(hop.node);
        if (!address) break;
        client = *address;
        if (!proxies.contains(client)) break;
    }
    return last;
}

} // namespace

ForwardedClient read_forwarded(const ForwardedFields& fields, const PeerAddress& peer,
                               const TrustedProxies& proxies)
{
    ForwardedClient client{.address = peer};
    if (!proxies.contains(peer)) return client;
    auto proto = first_of_list(fields.proto);
    client.host = first_of_list(fields.host);
    if (!fields.addresses.empty()) {
        follow_hops(hops_of_list(fields.addresses), proxies, client.address);
    } else if (!fields.forwarded.empty()) {
        const auto hops = hops_of_forwarded(fields.forwarded);
        if (const auto* hop = follow_hops(hops, proxies, client.address)) {
            if (proto.empty()) proto = ascii::lower(hop->proto);
            if (client.host.empty()) client.host = ascii::lower(hop->host);
        }
    }
    if (!proto.empty()) client.https = proto == "https";
    return client;
}

} // namespace vitrine::server
