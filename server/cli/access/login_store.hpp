#pragma once
// Tokens that `vitrine login` has got, one for each server: vitrine/logins.json in $XDG_CONFIG_HOME or
// ~/.config, readable by its owner alone. URLs are compared without a '/' at their end.

#include <filesystem>
#include <optional>
#include <string>

namespace vitrine::cli {

std::filesystem::path login_file();
// Empty: there is none, or the file cannot be read.
std::optional<std::string> find_login(const std::string& url);
// Throw std::runtime_error with one sentence: the file cannot be written.
void store_login(const std::string& url, const std::string& token);
void remove_login(const std::string& url);

} // namespace vitrine::cli
