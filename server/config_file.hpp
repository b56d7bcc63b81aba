#pragma once
// The file of --config: TOML whose keys are the names of the options of `serve` without dashes in front.
// Flags take precedence over variables of the environment, these over the file, the file over defaults.

#include <expected>
#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace vitrine::server {

// Adds --config (VITRINE_CONFIG); `file` must outlive the parsing.
void declare_config_file(CLI::App& app, std::filesystem::path& file);

// After `app` was parsed: sets its options that neither a flag nor a variable has set, if `serve` has them
// with the same name and variable: `vitrine token create --role` is not the `role` of the server. Other keys
// of `serve` are checked and ignored. An empty path: nothing. The error is one sentence with the
// line: the file cannot be read, is not TOML, or has a key or a value that `serve` would reject.
std::expected<void, std::string> apply_config_file(CLI::App& app, const std::filesystem::path& file);

} // namespace vitrine::server
