#pragma once
// `vitrine user`: creates, lists and removes users, and sets their passwords, in the database. `vitrine
// login` and `logout`: a token of this user for a server.

#include <functional>

#include <CLI/App.hpp>

namespace vitrine::cli {

// Each adds the options and returns what runs the command (server/cli/command.hpp: Action).
std::function<int()> declare_user(CLI::App& app);
std::function<int()> declare_login(CLI::App& app);
std::function<int()> declare_logout(CLI::App& app);

} // namespace vitrine::cli
