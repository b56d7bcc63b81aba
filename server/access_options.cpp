// Options of `vitrine serve` that say who may use the server.

#include <algorithm>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>

#include "server/config.hpp"
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
    app.add_flag("--trusted-proxy", config.trusted_proxy,
                 "Trust the reverse proxy: it may forward requests without a token and use https")
        ->envname("VITRINE_TRUSTED_PROXY");
    option("--host", config.hosts, "VITRINE_HOST", "A host name of this server; may be repeated");
    option("--origin", config.origins, "VITRINE_ORIGIN",
           "Another origin (https://tools.example) whose pages may read and write; may be repeated");
    option("--audit-days", config.audit_days, "VITRINE_AUDIT_DAYS",
           "Age in days at which entries of the audit log are removed")
        ->check(CLI::Range(1u, 36'500u))
        ->capture_default_str();
}

std::string wrong_access(const Config& config, const std::vector<Endpoint>& endpoints)
{
    if (!config.open) return {};
    if (!config.token.empty()) return "--open and --token (VITRINE_TOKEN) exclude each other";
    const auto reachable = std::ranges::find_if_not(endpoints, &Endpoint::is_loopback);
    if (reachable == endpoints.end()) return {};
    return "--open needs loopback addresses or Unix sockets: on " + reachable->host +
           " everyone on the network could write";
}

} // namespace vitrine::server
