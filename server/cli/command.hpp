#pragma once
// One command of `vitrine`. To add one: a file here that defines `Action declare_<name>(CLI::App&)`, its
// declaration below, its row in commands.cpp.

#include <functional>
#include <span>
#include <string_view>

#include <CLI/App.hpp>

namespace vitrine::cli {

inline constexpr int usage_error = 2; // exit code for invalid arguments

// Runs a command with its parsed arguments, which it owns and which --config has completed if the command has
// that option (server/config_file.hpp); the App that declared them exists meanwhile.
// Returns the exit code: 0, 1 after an error message on stderr, or usage_error.
using Action = std::function<int()>;

struct Command {
    std::string_view name;
    std::string_view summary;
    Action (*declare)(CLI::App& app); // adds the options
};

Action declare_bake(CLI::App& app);
Action declare_bench(CLI::App& app);
Action declare_check(CLI::App& app);
Action declare_convert(CLI::App& app);
Action declare_doctor(CLI::App& app);
Action declare_import(CLI::App& app);
Action declare_inspect(CLI::App& app);
Action declare_library(CLI::App& app);
Action declare_pose(CLI::App& app);
Action declare_render(CLI::App& app);
Action declare_serve(CLI::App& app);
Action declare_samples(CLI::App& app);
Action declare_token(CLI::App& app);

std::span<const Command> commands();

// Parses the arguments and runs the selected command. Exit codes: the command's, 0 for --help and --version,
// 1 for an exception, usage_error for invalid arguments.
int run(int argc, const char* const* argv);

} // namespace vitrine::cli
