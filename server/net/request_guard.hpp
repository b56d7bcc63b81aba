#pragma once
// Access checks: Host (DNS rebinding), Origin (other pages in the same browser), token or the cookie of a
// browser that has shown it. Pure functions.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/problem.hpp"
#include "server/access/cookies.hpp"
#include "server/access/token_lookup.hpp"
#include "server/net/http.hpp"
#include "server/net/proxies/forwarded.hpp"

namespace vitrine::server {

struct GuardConfig {
    bool loopback = true; // listens on loopback addresses and Unix sockets only
    std::string token;    // of an admin; empty: no token is required (--open); then `loopback` is true
    std::string token_name = "server"; // of log lines
    TrustedProxies proxies{};          // whose Forwarded fields are believed
    std::vector<std::string> hosts;   // host names in addition to loopback names; empty and not loopback: any
    std::vector<std::string> origins; // other origins that may write, "https://tools.example"
};

class Guard {
public:
    // `tokens`: further ones; it outlives the guard; null: none.
    explicit Guard(GuardConfig config, const TokenLookup* tokens = nullptr);

    // Returns who sends the request. Does not wait.
    SharedPrincipal identify(const Request& request) const; // not null
    // The same, also by the signature of a URL, which is then removed from the query. A wrong one makes the
    // request one of nobody, whatever else it shows.
    Principal identify_sender(Request& request) const;
    // Sets Request::https, Request::client and Request::client_address: the peer, or the client that trusted
    // proxies name.
    void describe_client(Request& request) const;
    // Returns what trusted proxies say about the client; without one, the peer.
    ForwardedClient client_of(const Request& request) const;
    // Returns the problem, or empty if the request of this principal is allowed. The problem depends on the
    // path only by `access`, what its route requires. `writes`: the request changes state or opens a
    // WebSocket.
    // `sharing`: what share links and signed URLs may use of it; `granted`: what grants may.
    std::optional<api::Problem> check(const Request& request, const Principal& principal, Access access,
                                      bool writes, Sharing sharing = Sharing::none,
                                      Granted granted = Granted::none) const;

    bool requires_token() const { return !config_.token.empty(); }
    const std::vector<std::string>& origins() const { return config_.origins; }
    // Returns whose token it is; null: nobody's.
    SharedPrincipal find_token(std::string_view text) const;
    // The value of Set-Cookie that lets a browser that has shown the token in for 30 days. The cookie is
    // derived from the token and does not reveal it; it ends with the token.
    std::string session_cookie(const Request& request, std::string_view token) const;

private:
    std::optional<api::Problem> check_host(const Request& request) const;
    std::optional<api::Problem> check_origin(const Request& request) const;
    std::optional<api::Problem> check_principal(const Principal& principal, Access access, Sharing sharing,
                                                Granted granted) const;
    // Whose URL it is, if it has a signature. Removes the signature from the query.
    std::optional<Principal> find_by_signature(Request& request) const;
    SharedPrincipal find_token(const TokenDigest& digest) const;
    SharedPrincipal find_by_field(const Request& request) const; // Authorization
    SharedPrincipal find_by_cookie(const Request& request) const;
    SharedPrincipal find_by_token_cookie(std::string_view value) const;
    // Whether the browser uses https: the request came by TLS, or a trusted proxy says so.
    bool is_https(const Request& request) const;
    bool is_from_proxy(const Request& request) const; // a trusted one
    bool is_own_host(std::string_view host) const;    // as in the field Host

    GuardConfig config_;
    const TokenLookup* tokens_;
    SharedPrincipal server_; // who has the token of the configuration
    TokenDigest token_digest_{};
    TokenDigest cookie_digest_{};
    CookieNames cookies_;
};

// Returns the token of "Bearer TOKEN", or of "Basic" with the token as password (for the password dialog of
// browsers).
std::optional<std::string> request_token(const Request& request);

} // namespace vitrine::server
