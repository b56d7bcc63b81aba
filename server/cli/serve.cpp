// `vitrine serve`: runs the server.
#include <cstdio>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "server/app.hpp"
#include "server/cli/command.hpp"
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

void announce_address(std::string_view url)
{
    fmt::print("Vitrine is listening on {}\n", url);
    std::fflush(stdout);
}

int serve(server::Config& config)
{
    auto endpoint = server::finish_config(config);
    if (!endpoint) {
        fmt::print(stderr, "vitrine: {}\n", endpoint.error());
        return usage_error;
    }
    if (config.print) {
        fmt::print("{}\n", server::print_config(config));
        return 0;
    }
    server::run_server(config, *endpoint, {.ready = announce_address, .write_samples = write_library});
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
