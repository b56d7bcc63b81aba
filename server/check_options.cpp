#include "server/check_options.hpp"

#include <filesystem>
#include <fstream>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>
#include <fmt/format.h>

#include "api/check_profile.hpp"

namespace vitrine::server {

std::expected<scene::CheckProfile, std::string> load_check_profile(const std::string& name_or_file)
{
    if (auto shipped = scene::find_shipped_profile(name_or_file)) return *std::move(shipped);
    std::error_code ignored;
    const bool is_file = std::filesystem::is_regular_file(name_or_file, ignored);
    std::ifstream in;
    if (is_file) in.open(name_or_file, std::ios::binary); // opening a pipe would wait
    if (!in.is_open()) return std::unexpected(api::no_profile_message(name_or_file) + ", or a file");
    std::string text(api::max_profile_bytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    auto profile = api::parse_check_profile(text);
    if (!profile) return std::unexpected(fmt::format("{}: {}", name_or_file, profile.error()));
    return profile;
}

void declare_check_gate(CLI::App& app, std::string& profile, std::string& action)
{
    app.add_option("--check-profile", profile,
                   "Check uploads against this profile: a name or a JSON file, as of `vitrine check`")
        ->envname("VITRINE_CHECK_PROFILE");
    app.add_option(
           "--check-gate", action,
           "mark (what the profile finds with severity error is a warning of the asset) or reject (the "
           "import fails)")
        ->envname("VITRINE_CHECK_GATE")
        ->capture_default_str()
        ->check(CLI::IsMember({"mark", "reject"}));
}

std::expected<CheckGate, std::string> load_check_gate(const std::string& profile, const std::string& action)
{
    CheckGate gate{.action = action == "reject" ? GateAction::reject : GateAction::mark};
    if (profile.empty()) return gate;
    auto loaded = load_check_profile(profile);
    if (!loaded) return std::unexpected(loaded.error());
    gate.profile = std::make_shared<const scene::CheckProfile>(*std::move(loaded));
    return gate;
}

} // namespace vitrine::server
