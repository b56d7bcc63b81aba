#pragma once
// The commands that move, back up and restore what a server keeps. Each adds its options and returns what
// runs it (server/cli/command.hpp: Action).

#include <functional>

#include <CLI/App.hpp>

namespace vitrine::cli {

std::function<int()> declare_migrate(CLI::App& app);
std::function<int()> declare_backup(CLI::App& app);
std::function<int()> declare_restore(CLI::App& app);

} // namespace vitrine::cli
