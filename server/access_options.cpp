// Options of `vitrine serve` that say who may use the server.

#include <algorithm>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "server/config.hpp"

namespace vitrine::server {

void declare_access(CLI::App& app, Config& config)
{
    app.add_option("--token", config.token,
                   "Token that every request must send; default: the one in the file `token` of the data "
                   "directory, which the first start makes")
        ->envname("VITRINE_TOKEN");
    app.add_flag("--open", config.open,
                 "Require no token; only on loopback addresses and Unix sockets, where each user of this "
                 "machine may then read and "
                 "write")
        ->envname("VITRINE_OPEN");
    app.add_flag("--trusted-proxy", config.trusted_proxy,
                 "Trust the reverse proxy: it may forward requests without a token and use https")
        ->envname("VITRINE_TRUSTED_PROXY");
    app.add_option("--host", config.hosts, "A host name of this server; may be repeated")
        ->envname("VITRINE_HOST");
    app.add_option("--origin", config.origins, "Another origin whose pages may write; may be repeated")
        ->envname("VITRINE_ORIGIN");
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
