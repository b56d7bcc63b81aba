// Options of `vitrine serve` that say who may use the server.

#include <algorithm>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>

#include "server/config.hpp"
#include "server/net/proxies/trusted_proxies.hpp"
#include "server/option_declarer.hpp"

namespace vitrine::server {

void declare_access(CLI::App& app, Config& config)
{
    const auto option = option_declarer(app);
    option("--token", config.token, "VITRINE_TOKEN",
           "Token that every request must send; default: the one in the file `token` of the data "
           "directory, which the first start makes");
    app.add_flag("--open", config.open,
                 "Require no token; only on loopback addresses and Unix sockets, where each user of this "
                 "machine may then read and "
                 "write")
        ->envname("VITRINE_OPEN");
    option("--trusted-proxy", config.trusted_proxies, "VITRINE_TRUSTED_PROXY",
           "Address or network (10.0.0.0/8) of a reverse proxy, loopback, or unix: its X-Forwarded-For, "
           "-Proto, -Host and Forwarded are believed; may be repeated, or several separated by commas")
        ->delimiter(',');
    option("--host", config.hosts, "VITRINE_HOST", "A host name of this server; may be repeated");
    option("--origin", config.origins, "VITRINE_ORIGIN",
           "Another origin (https://tools.example) whose pages may read and write; may be repeated");
    option("--rate-limit", config.rate_limits, "VITRINE_RATE_LIMIT",
           "reads=N/s, writes=N/m, renders=N/h: requests of each token or user; may be repeated, or several "
           "separated by commas; default: no limit")
        ->delimiter(',');
    option("--address-rate-limit", config.address_rate_limits, "VITRINE_ADDRESS_RATE_LIMIT",
           "The same of each address without a token; 0: no limit; default: "
           "reads=6000/m,writes=600/m,renders=600/m")
        ->delimiter(',');
    option("--audit-days", config.audit_days, "VITRINE_AUDIT_DAYS",
           "Age in days at which entries of the audit log are removed")
        ->check(CLI::Range(1u, 36'500u))
        ->capture_default_str();
}

std::expected<RateLimits, std::string> limits_of_principals(const Config& config)
{
    return parse_rate_limits("--rate-limit", {}, config.rate_limits);
}

std::expected<RateLimits, std::string> limits_of_addresses(const Config& config)
{
    return parse_rate_limits("--address-rate-limit", default_address_limits(), config.address_rate_limits);
}

std::string wrong_access(const Config& config, const std::vector<Endpoint>& endpoints)
{
    if (auto proxies = TrustedProxies::parse(config.trusted_proxies); !proxies) return proxies.error();
    if (auto limits = limits_of_principals(config); !limits) return limits.error();
    if (auto limits = limits_of_addresses(config); !limits) return limits.error();
    if (!config.open) return {};
    if (!config.token.empty()) return "--open and --token (VITRINE_TOKEN) exclude each other";
    const auto reachable = std::ranges::find_if_not(endpoints, &Endpoint::is_loopback);
    if (reachable == endpoints.end()) return {};
    return "--open needs loopback addresses or Unix sockets: on " + reachable->host +
           " everyone on the network could write";
}

boost::json::object rates_json(const std::expected<RateLimits, std::string>& limits)
{
    boost::json::object object;
    for (const auto rate_class : {RateClass::reads, RateClass::writes, RateClass::renders})
        if (limits) object[to_word(rate_class)] = to_text((*limits)[rate_class]);
    return object;
}

} // namespace vitrine::server
