#include "server/net/request_guard.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "server/access/signed_url.hpp"

namespace vitrine::server {
namespace {

// `name`: as in Host, IPv6 in brackets.
bool is_ip_address(std::string_view name)
{
    if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
    boost::system::error_code error;
    boost::asio::ip::make_address(std::string(name), error);
    return !error;
}

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

// Not a password of Basic.
bool has_bearer(const Request& request)
{
    constexpr std::string_view scheme = "bearer ";
    const auto field = request.headers.find("Authorization").value_or("");
    return ascii::lower(field.substr(0, scheme.size())) == scheme;
}

} // namespace

Guard::Guard(GuardConfig config, const TokenLookup* tokens)
    : config_(std::move(config)), tokens_(tokens),
      server_(std::make_shared<const Principal>(
          Principal{.kind = Principal::Kind::token, .name = config_.token_name, .role = Role::admin}))
{
    cookies_ = cookie_names_of(config_.token);
    if (!requires_token()) return;
    token_digest_ = digest_of(config_.token);
    cookie_digest_ = digest_of(cookie_value_of(config_.token));
}

SharedPrincipal Guard::find_token(const TokenDigest& digest) const
{
    if (requires_token() && constant_time_equal(digest, token_digest_)) return server_;
    return tokens_ ? tokens_->find_token(digest) : nullptr;
}

SharedPrincipal Guard::find_token(std::string_view text) const
{
    return find_token(digest_of(text));
}

ForwardedClient Guard::client_of(const Request& request) const
{
    const PeerAddress peer = request.peer ? request.peer->address : PeerAddress{};
    if (!config_.proxies.contains(peer)) return {.address = peer};
    const auto value_of = [&](std::string_view name) {
        std::string joined; // RFC 9110, 5.3
        for (const auto& [field, value] : request.headers)
            if (ascii::equal_ignoring_case(field, name)) joined += joined.empty() ? value : ", " + value;
        return joined;
    };
    return read_forwarded({.addresses = value_of("X-Forwarded-For"),
                           .proto = value_of("X-Forwarded-Proto"),
                           .host = value_of("X-Forwarded-Host"),
                           .forwarded = value_of("Forwarded")},
                          peer, config_.proxies);
}

bool Guard::is_from_proxy(const Request& request) const
{
    return request.peer && config_.proxies.contains(request.peer->address);
}

bool Guard::is_https(const Request& request) const
{
    return request.tls || client_of(request).https.value_or(false);
}

std::string Guard::session_cookie(const Request& request, std::string_view token) const
{
    return cookie_field(cookies_.token, cookie_value_of(token), 30ll * 24 * 3600, is_https(request));
}

SharedPrincipal Guard::find_by_token_cookie(std::string_view value) const
{
    const auto digest = digest_of(value);
    if (constant_time_equal(digest, cookie_digest_)) return server_;
    return tokens_ ? tokens_->find_cookie(digest) : nullptr;
}

// Whose cookie Cookie (RFC 6265, 4.2.1: "name=value; name=value") holds. A user who has signed in comes
// before a token that was shown earlier, and both before a share link.
SharedPrincipal Guard::find_by_cookie(const Request& request) const
{
    const auto field = request.headers.find("Cookie");
    if (!field) return nullptr;
    const bool https = is_https(request);
    const auto& session = https ? cookies_.secure_session : cookies_.session;
    const auto& link = https ? cookies_.secure_link : cookies_.link;
    SharedPrincipal by_token, by_link;
    for (std::string_view rest = *field; !rest.empty();) {
        const auto end = std::min(rest.find(';'), rest.size());
        const std::string_view pair = without_blanks(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const auto equals = std::min(pair.find('='), pair.size());
        const auto name = pair.substr(0, equals), value = pair.substr(std::min(equals + 1, pair.size()));
        if (tokens_ && name == session) {
            if (auto found = tokens_->find_session(digest_of(value))) return found;
        } else if (requires_token() && !by_token && name == cookies_.token) {
            by_token = find_by_token_cookie(value);
        } else if (tokens_ && !by_link && name == link) {
            by_link = tokens_->find_link_cookie(digest_of(value));
        }
    }
    return by_token ? by_token : by_link;
}

bool Guard::is_own_host(std::string_view host) const
{
    const auto name = host_name(host);
    const bool any_host_is_allowed = !config_.loopback && config_.hosts.empty();
    if (any_host_is_allowed || is_loopback_name(name) || contains(config_.hosts, name)) return true;
    // Rebinding needs a name; health checks and metrics come to an address.
    return !config_.loopback && is_ip_address(name);
}

// With a proxy both names are checked: a page of a rebound name may send X-Forwarded-Host itself, through a
// proxy that does not replace it.
std::optional<api::Problem> Guard::check_host(const Request& request) const
{
    const auto host = request.headers.find("Host"); // HTTP/1.0: no browser, which alone can be rebound
    const auto forwarded = client_of(request).host;
    if ((!host || is_own_host(*host)) && (forwarded.empty() || is_own_host(forwarded))) return std::nullopt;
    return problem(421, "unknown_host",
                   "The name in Host is not a name of this server; add it with --host NAME.");
}

std::optional<api::Problem> Guard::check_origin(const Request& request) const
{
    auto origin = request.headers.find("Origin");
    auto rejection =
        problem(403, "foreign_origin", "Requests that change data must come from a page of this server.");
    if (!origin) {
        bool cross = request.headers.find("Sec-Fetch-Site").value_or("") == "cross-site";
        return cross ? std::optional(rejection) : std::nullopt;
    }
    auto sent = ascii::lower(*origin);
    const auto is_of = [&](const std::string& host) {
        const bool may_be_http = !request.tls; // a page without TLS may have been changed on its way
        const bool may_be_https = request.tls || is_from_proxy(request);
        return (may_be_http && sent == "http://" + host) || (may_be_https && sent == "https://" + host);
    };
    const auto forwarded = client_of(request).host;
    const bool is_same_origin = is_of(ascii::lower(request.headers.find("Host").value_or(""))) ||
                                (!forwarded.empty() && is_of(forwarded));
    if (is_same_origin || contains(config_.origins, sent)) return std::nullopt;
    return rejection;
}

SharedPrincipal Guard::identify(const Request& request) const
{
    // No admin: an access that another user of this machine grants itself would outlast --open.
    static const auto open =
        std::make_shared<const Principal>(Principal{.kind = Principal::Kind::open, .role = Role::editor});
    static const auto nobody = std::make_shared<const Principal>();
    if (auto found = find_by_field(request)) return found;
    auto by_cookie = find_by_cookie(request);
    if (by_cookie && by_cookie->role != Role::link) return by_cookie;
    const bool may_be_open = !requires_token() && (!is_forwarded(request) || is_from_proxy(request));
    if (may_be_open) return open;
    return by_cookie ? by_cookie : nobody;
}

std::optional<Principal> Guard::find_by_signature(Request& request) const
{
    const auto& segments = request.target.segments; // "v1", "assets", ID, ...
    auto signature = take_url_signature(request.target.query);
    if (!signature || !tokens_ || segments.size() < 4 || segments[1] != "assets") return std::nullopt;
    const auto secret = tokens_->find_url_key(signature->key);
    const bool is_valid =
        secret && matches_url(*signature, request.target.path, request.target.query, *secret);
    const auto expires = is_valid ? signature->expires : 0;
    if (expires <= std::time(nullptr)) return std::nullopt;
    return Principal{.kind = Principal::Kind::signed_url,
                     .role = Role::link,
                     .id = segments[2],
                     .expires = expires * 1'000'000,
                     .scope = std::make_shared<const LinkScope>(LinkScope{.asset = segments[2]})};
}

Principal Guard::identify_sender(Request& request) const
{
    if (!has_url_signature(request.target.query)) return *identify(request);
    return find_by_signature(request).value_or(Principal{});
}

void Guard::describe_client(Request& request) const
{
    auto client = client_of(request);
    request.https = request.tls || client.https.value_or(false);
    request.client = request.peer_text();
    const auto* address = std::get_if<boost::asio::ip::address>(&client.address);
    const bool is_named = request.peer && client.address != request.peer->address;
    if (is_named && address != nullptr) request.client = address->to_string();
    request.client_address = std::move(client.address);
}

std::optional<api::Problem> Guard::check_principal(const Principal& principal, Access access, Sharing sharing,
                                                   Granted granted) const
{
    if (may_use(principal, {access, sharing, granted})) return std::nullopt;
    if (principal.role > Role::link) {
        const auto least = role_for(access).value_or(Role::admin);
        auto rejection =
            problem(403, "role_required",
                    fmt::format("This request requires the role {}; the one that sends it has the role {}.",
                                to_word(least), to_word(principal.role)));
        rejection.bearer_error = insufficient_scope(least);
        return rejection;
    }
    if (config_.token.empty())
        return problem(
            403, "token_required_behind_proxy",
            "Behind a proxy Vitrine requires a token (serve without --open) or --trusted-proxy ADDRESS.");
    return problem(401, "token_required", "Send a token as Authorization: Bearer TOKEN, or sign in.");
}

std::optional<api::Problem> Guard::check(const Request& request, const Principal& principal, Access access,
                                         bool writes, Sharing sharing, Granted granted) const
{
    if (auto rejection = check_host(request)) return rejection;
    if (auto rejection = check_principal(principal, access, sharing, granted)) {
        if (rejection->status == 401 && has_bearer(request))
            rejection->bearer_error = "error=\"invalid_token\"";
        return rejection;
    }
    return writes ? check_origin(request) : std::nullopt;
}

} // namespace vitrine::server
