#pragma once
// `vitrine user`: creates, lists and removes users, and sets their passwords, in the database.

#include <functional>

#include <CLI/App.hpp>

namespace vitrine::cli {

// Adds the options and returns what runs the command (server/cli/command.hpp: Action).
std::function<int()> declare_user(CLI::App& app);

} // namespace vitrine::cli
