#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include "server/cli/command.hpp"
#include "server/render_process/render_child.hpp"

namespace vitrine::cli {
namespace {

// 0 for --help and --version, which CLI11 treats as errors of code 0.
int report(const CLI::App& app, const CLI::ParseError& error)
{
    return app.exit(error, std::cout, std::cerr) == 0 ? 0 : usage_error;
}

std::string explain(const CLI::App*, const CLI::Error& error)
{
    return fmt::format(
        "vitrine: {}\nvitrine --help lists the commands, vitrine COMMAND --help their options\n",
        error.what());
}

// CLI11 reports only that a command is missing, not which word is unknown.
bool names_no_command(int argc, const char* const* argv)
{
    if (argc < 2 || argv[1][0] == '-') return false;
    const auto known = [&](const Command& command) { return command.name == argv[1]; };
    if (std::ranges::any_of(commands(), known)) return false;
    fmt::print(stderr, "vitrine: '{}' is not a command; vitrine --help lists them\n", argv[1]);
    return true;
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
    if (argc == 2 && std::string_view(argv[1]) == render_process::child_argument)
        return render_process::run_render_child();
    CLI::App app("Vitrine: a 3D asset server with GPU preview", "vitrine");
    app.set_version_flag("--version", "vitrine " VITRINE_VERSION);
    app.require_subcommand(1);
    app.failure_message(explain);
    if (names_no_command(argc, argv)) return usage_error;
    Action chosen;
    for (const auto& command : commands()) {
        auto* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
        // Only the options of the command that is named are declared; declaring all takes longer than
        // parsing.
        if (argc < 2 || command.name != argv[1]) continue;
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
