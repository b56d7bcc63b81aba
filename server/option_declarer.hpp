#pragma once
// Options of `vitrine serve`, each of which is also a variable of the environment.

#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace vitrine::server {

// Returns a function that adds an option and returns it. `group`: its heading in the help; empty: none.
inline auto option_declarer(CLI::App& app, std::string group = {})
{
    return [&app, group = std::move(group)](const char* flag, auto& target, const char* variable,
                                            const char* help) {
        auto* const option = app.add_option(flag, target, help)->envname(variable);
        return group.empty() ? option : option->group(group);
    };
}

} // namespace vitrine::server
