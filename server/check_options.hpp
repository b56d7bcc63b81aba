#pragma once
// Profiles of checks that the command line names, and the gate of uploads.

#include <expected>
#include <string>

#include "loaders/scene/checks/profile.hpp"
#include "server/services/importing/check_gate.hpp"

namespace CLI {
class App;
}

namespace vitrine::server {

// Returns the profile that comes with the program under this name, or that of the file. The error is one
// sentence.
std::expected<scene::CheckProfile, std::string> load_check_profile(const std::string& name_or_file);

// Adds --check-profile and --check-gate; both texts must outlive the parsing.
void declare_check_gate(CLI::App& app, std::string& profile, std::string& action);
// Returns the gate of these texts. The error is one sentence.
std::expected<CheckGate, std::string> load_check_gate(const std::string& profile, const std::string& action);

} // namespace vitrine::server
