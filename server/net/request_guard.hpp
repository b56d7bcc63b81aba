#pragma once
// Who may ask: Host (DNS rebinding), Origin (other pages in the same browser), token. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/dto.hpp"
#include "server/net/http.hpp"

namespace vitrine::server {

struct GuardConfig {
    bool loopback = true;             // listening there only
    std::string token;                // empty: none is asked for; then `loopback` is true
    bool trusted_proxy = false;       // forwarded fields come from our own proxy; it may speak https
    std::vector<std::string> hosts;   // names it is reached by beside loopback's; empty and not loopback: any
    std::vector<std::string> origins; // other pages that may write, "https://tools.example"
};

class Guard {
public:
    explicit Guard(GuardConfig config) : config_(std::move(config)) {}

    // Empty: it may go on. `writes`: it changes something, or opens a WebSocket. `open`: needs no token.
    std::optional<api::Problem> check(const Request& request, bool writes, bool open) const;

private:
    std::optional<api::Problem> check_host(const Request& request) const;
    std::optional<api::Problem> check_origin(const Request& request) const;
    std::optional<api::Problem> check_token(const Request& request) const;

    GuardConfig config_;
};

// The token of "Bearer TOKEN" or of "Basic" with the token as password (what a browser can ask a person for).
std::optional<std::string> request_token(const Request& request);
// Takes the same time wherever they differ and however long either is: their SHA-256 digests are compared.
bool constant_time_equal(std::string_view a, std::string_view b);

// Fields that every answer carries; `page`: the policy of the web client.
void add_security_headers(Response& response);

} // namespace vitrine::server
