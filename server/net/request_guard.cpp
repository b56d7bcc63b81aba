#include "server/net/request_guard.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "loaders/base/ascii.hpp"

namespace vitrine::server {
namespace {

api::Problem problem(int status, std::string code, std::string detail)
{
    return {.status = status, .code = std::move(code), .detail = std::move(detail)};
}

// "example.org:8080" -> "example.org", "[::1]:80" -> "[::1]".
std::string host_name(std::string_view host)
{
    auto colon = host.rfind(':');
    bool has_port = colon != host.npos && host.find(']', colon) == host.npos;
    return ascii::lower(host.substr(0, has_port ? colon : host.npos));
}

bool is_loopback_name(std::string_view name)
{
    return name == "localhost" || name == "127.0.0.1" || name == "[::1]";
}

bool contains(const std::vector<std::string>& list, std::string_view wanted)
{
    return std::any_of(list.begin(), list.end(),
                       [&](const auto& entry) { return ascii::lower(entry) == wanted; });
}

bool is_forwarded(const Request& request)
{
    constexpr std::array<std::string_view, 4> names{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host",
                                                    "X-Real-IP"};
    return std::any_of(names.begin(), names.end(),
                       [&](auto name) { return request.headers.find(name).has_value(); });
}

int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    return c == '/' ? 63 : -1;
}

std::optional<std::string> decode_base64(std::string_view text)
{
    while (text.ends_with('='))
        text.remove_suffix(1);
    std::string out;
    std::uint32_t bits = 0;
    int count = 0;
    for (char c : text) {
        int value = base64_value(c);
        if (value < 0) return std::nullopt;
        bits = (bits << 6) | static_cast<std::uint32_t>(value);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out.push_back(static_cast<char>((bits >> count) & 0xff));
    }
    return out;
}

} // namespace

std::optional<std::string> request_token(const Request& request)
{
    auto field = request.headers.find("Authorization");
    if (!field) return std::nullopt;
    auto space = field->find(' ');
    if (space == field->npos) return std::nullopt;
    auto scheme = ascii::lower(field->substr(0, space));
    auto rest = field->substr(space + 1);
    if (scheme == "bearer") return std::string(rest);
    if (scheme != "basic") return std::nullopt;
    auto pair = decode_base64(rest);
    auto colon = pair ? pair->find(':') : std::string::npos;
    if (colon == std::string::npos) return std::nullopt;
    return pair->substr(colon + 1);
}

bool constant_time_equal(std::string_view a, std::string_view b)
{
    std::size_t difference = a.size() ^ b.size();
    for (std::size_t i = 0; i < a.size() && !b.empty(); ++i) {
        difference |= static_cast<unsigned char>(a[i] ^ b[i % b.size()]);
    }
    return difference == 0;
}

std::optional<api::Problem> Guard::check_host(const Request& request) const
{
    auto name = host_name(request.headers.find("Host").value_or(""));
    bool open = !config_.loopback && config_.hosts.empty();
    if (open || is_loopback_name(name) || contains(config_.hosts, name)) return std::nullopt;
    return problem(421, "unknown_host",
                   "This server does not answer under the name in Host; start it with --host NAME.");
}

std::optional<api::Problem> Guard::check_origin(const Request& request) const
{
    auto origin = request.headers.find("Origin");
    auto refused = problem(403, "foreign_origin",
                           "Requests that change something must come from this server's own page.");
    if (!origin) {
        bool cross = request.headers.find("Sec-Fetch-Site").value_or("") == "cross-site";
        return cross ? std::optional(refused) : std::nullopt;
    }
    auto sent = ascii::lower(*origin);
    auto host = ascii::lower(request.headers.find("Host").value_or(""));
    bool own = sent == "http://" + host || (config_.trusted_proxy && sent == "https://" + host);
    if (own || contains(config_.origins, sent)) return std::nullopt;
    return refused;
}

std::optional<api::Problem> Guard::check_token(const Request& request) const
{
    if (config_.token.empty()) {
        if (!is_forwarded(request) || config_.trusted_proxy) return std::nullopt;
        return problem(403, "token_needed_behind_proxy",
                       "Behind a proxy Vitrine needs --token, or --trusted-proxy.");
    }
    auto token = request_token(request);
    if (token && constant_time_equal(*token, config_.token)) return std::nullopt;
    return problem(401, "token_needed", "Send the token as Authorization: Bearer TOKEN.");
}

std::optional<api::Problem> Guard::check(const Request& request, bool writes, bool open) const
{
    if (auto refused = check_host(request)) return refused;
    if (!open) {
        if (auto refused = check_token(request)) return refused;
    }
    return writes ? check_origin(request) : std::nullopt;
}

void add_security_headers(Response& response)
{
    auto& headers = response.headers;
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "same-origin");
    headers.set("X-Frame-Options", "SAMEORIGIN");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Content-Security-Policy",
                "default-src 'self'; img-src 'self' blob: data:; connect-src 'self'; style-src 'self' "
                "'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'");
}

} // namespace vitrine::server
