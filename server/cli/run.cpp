#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include "server/cli/command.hpp"

namespace vitrine::cli {
namespace {

constexpr int usage_error = 2;

// 0 for --help and --version, which CLI11 treats as errors of code 0.
int report(const CLI::App& app, const CLI::ParseError& error)
{
    return app.exit(error, std::cout, std::cerr) == 0 ? 0 : usage_error;
}

int perform(const Action& action)
{
    try {
        return action();
    } catch (const std::exception& error) {
        fmt::print(stderr, "vitrine: {}\n", error.what());
        return 1;
    }
}

} // namespace

int run(int argc, const char* const* argv)
{
    CLI::App app("Vitrine: a 3D asset server with GPU preview", "vitrine");
    app.set_version_flag("--version", "vitrine " VITRINE_VERSION);
    app.require_subcommand(1);
    Action chosen;
    for (const auto& command : commands()) {
        auto* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
        sub->callback([&chosen, action = command.declare(*sub)] { chosen = action; });
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return report(app, error);
    }
    return perform(chosen);
}

} // namespace vitrine::cli
