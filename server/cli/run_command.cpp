#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include "server/cli/command.hpp"
#include "server/config_file.hpp"
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

// The commands that the arguments may name: the one that they begin with, or all for the list of --help.
std::span<const Command> candidates(int argc, const char* const* argv)
{
    const auto all = commands();
    if (argc < 2 || argv[1][0] == '-') return all;
    const auto named = std::ranges::find(all, std::string_view(argv[1]), &Command::name);
    return {named, named == all.end() ? 0u : 1u};
}

// The command that was named, or its subcommand.
CLI::App& named_command(CLI::App& app)
{
    const auto inner = app.get_subcommands();
    return inner.empty() ? app : named_command(*inner.front());
}

// Returns false after a message: the file of --config is wrong.
bool read_config_file(CLI::App& app)
{
    const auto* const option = app.get_option_no_throw("--config");
    if (option == nullptr || option->count() == 0) return true;
    const auto applied = server::apply_config_file(app, option->as<std::string>());
    if (!applied) fmt::print(stderr, "vitrine: {}\n", applied.error());
    return applied.has_value();
}

int perform(CLI::App& app, const Action& action)
{
    try {
        return read_config_file(named_command(app)) ? action() : usage_error;
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
    const auto declared = candidates(argc, argv); // each takes as long to declare as to parse
    if (declared.empty()) { // CLI11 reports only that a command is missing, not which word is unknown
        fmt::print(stderr, "vitrine: '{}' is not a command; vitrine --help lists them\n", argv[1]);
        return usage_error;
    }
    Action chosen;
    for (const auto& command : declared) {
        auto* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
        if (declared.size() > 1) continue; // their options are not in the list
        sub->callback([&chosen, action = command.declare(*sub)] { chosen = action; });
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return report(app, error);
    }
    return perform(app, chosen);
}

} // namespace vitrine::cli
