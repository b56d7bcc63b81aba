// `vitrine serve`: runs the server.
#include <cstdio>
#include <memory>
#include <span>
#include <string>

#include <fmt/format.h>

#include "server/app.hpp"
#include "server/cli/command.hpp"
#include "server/net/url.hpp"
#include "server/samples/samples.hpp"

namespace vitrine::cli {
namespace {

// Writes the sample library of the first start: each model once.
void write_library(const std::filesystem::path& folder)
{
    samples::write_samples(folder);
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        bool glb = entry.path().filename().string().ends_with("-glb");
        if (!glb) std::filesystem::remove_all(entry.path());
    }
}

// One line an address. A browser signs in with the link; of a wildcard address, the link names this machine.
void announce_address(const server::Endpoint& endpoint, const std::string& token)
{
    auto browser = endpoint;
    if (endpoint.host == "0.0.0.0" || endpoint.host == "::") browser.host = "localhost";
    const auto link = browser.url() + "/?token=" + server::percent_encode(token);
    if (token.empty() || endpoint.is_unix())
        fmt::print("Vitrine is listening on {}\n", endpoint.url());
    else
        fmt::print("Vitrine is listening on {} (sign in: {})\n", endpoint.url(), link);
    std::fflush(stdout);
}

int serve(server::Config& config)
{
    const auto endpoints = server::finish_config(config);
    if (!endpoints) {
        fmt::print(stderr, "vitrine: {}\n", endpoints.error());
        return usage_error;
    }
    if (config.print) {
        fmt::print("{}\n", server::print_config(config));
        return 0;
    }
    const auto announce = [&](std::span<const server::Endpoint> bound) {
        for (const auto& endpoint : bound)
            announce_address(endpoint, config.token);
    };
    server::run_server(config, *endpoints, {.ready = announce, .write_samples = write_library});
    return 0;
}

} // namespace

Action declare_serve(CLI::App& app)
{
    auto config = std::make_shared<server::Config>();
    server::declare_config(app, *config);
    return [config] { return serve(*config); };
}

} // namespace vitrine::cli
