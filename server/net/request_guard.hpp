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

namespace vitrine::server {

struct GuardConfig {
    bool loopback = true; // listens on loopback addresses and Unix sockets only
    std::string token;    // of an admin; empty: no token is required (--open); then `loopback` is true
    std::string token_name = "server"; // of log lines
    bool trusted_proxy = false;        // Forwarded fields come from our own proxy, which may use https
    std::vector<std::string> hosts;   // host names in addition to loopback names; empty and not loopback: any
    std::vector<std::string> origins; // other origins that may write, "https://tools.example"
};

class Guard {
public:
    // `tokens`: further ones; it outlives the guard; null: none.
    explicit Guard(GuardConfig config, const TokenLookup* tokens = nullptr);

    // Returns who sends the request. Does not wait.
    Principal identify(const Request& request) const;
    // Sets Request::https and Request::client, the address of the peer, or, with a trusted proxy, the last
    // one that it has added to X-Forwarded-For.
    void describe_client(Request& request) const;
    // Returns the problem, or empty if the request of this principal is allowed. The problem depends on the
    // path only by `access`, what its route requires. `writes`: the request changes state or opens a
    // WebSocket.
    std::optional<api::Problem> check(const Request& request, const Principal& principal, Access access,
                                      bool writes) const;

    bool requires_token() const { return !config_.token.empty(); }
    const std::vector<std::string>& origins() const { return config_.origins; }
    // Returns whose token it is; empty: nobody's.
    std::optional<Principal> find_token(std::string_view text) const;
    // The value of Set-Cookie that lets a browser that has shown the token in for 30 days. The cookie is
    // derived from the token and does not reveal it; it ends with the token.
    std::string session_cookie(const Request& request, std::string_view token) const;

private:
    std::optional<api::Problem> check_host(const Request& request) const;
    std::optional<api::Problem> check_origin(const Request& request) const;
    std::optional<api::Problem> check_principal(const Principal& principal, Access access) const;
    std::optional<Principal> find_by_cookie(const Request& request) const;
    std::optional<Principal> find_by_token_cookie(std::string_view value) const;
    Principal server_principal() const;
    // Whether the browser uses https: the request came by TLS, or our own proxy says so.
    bool is_https(const Request& request) const;

    GuardConfig config_;
    const TokenLookup* tokens_;
    TokenDigest token_digest_{};
    TokenDigest cookie_digest_{};
    CookieNames cookies_;
};

// Returns the token of "Bearer TOKEN", or of "Basic" with the token as password (for the password dialog of
// browsers).
std::optional<std::string> request_token(const Request& request);

// Adds the security header fields of all responses.
void add_security_headers(Response& response);

} // namespace vitrine::server
