#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>
#include <fmt/format.h>

#include "api/check_report.hpp"
#include "api/json_text.hpp"
#include "loaders/base/printable.hpp"
#include "loaders/scene/checks/checks.hpp"
#include "server/check_options.hpp"
#include "server/cli/command.hpp"
#include "server/cli/scene_file.hpp"
#include "server/cli/terminal/progress.hpp"
#include "server/loader_options.hpp"

namespace vitrine::cli {
namespace {

constexpr int findings_exit = 1;
constexpr int unreadable_exit = 2;
constexpr std::size_t max_file_name_bytes = 4096;

struct CheckArguments {
    std::vector<std::string> files;
    std::string profile = "default";
    std::string format = "text";
    std::string fail_on = "warning";
    bool with_notes = false;
    worker::ClientOptions loading;
};

// A file that cannot be read is reported on stderr too.
api::CheckedModel check_one(const std::string& file, const scene::CheckProfile& profile,
                            const worker::ClientOptions& loading, ProgressLine& progress)
{
    api::CheckedModel checked{.name = printable(file, max_file_name_bytes)};
    const auto scene = load_model(file, loading);
    progress.clear();
    if (!scene) {
        report_error(file, scene.error());
        const auto& error = scene.error();
        checked.failure_code = to_string(error.code);
        checked.failure = error.where.empty() ? error.detail : error.where + ": " + error.detail;
        return checked;
    }
    checked.findings = scene::check_scene(*scene, profile, std::max(std::thread::hardware_concurrency(), 1u));
    return checked;
}

void print_report(const CheckArguments& arguments, const scene::CheckProfile& profile,
                  const std::vector<api::CheckedModel>& models, scene::Severity fail_on)
{
    if (arguments.format == "json")
        fmt::print("{}\n", api::to_pretty_text(api::check_json(profile.name, models)));
    else if (arguments.format == "sarif")
        fmt::print("{}\n", api::to_pretty_text(api::sarif_json(VITRINE_VERSION, models)));
    else if (arguments.format == "junit")
        fmt::print("{}", api::junit_text(models, fail_on));
    else
        fmt::print("{}", api::check_text(models, arguments.with_notes
                                                     ? scene::Severity::note
                                                     : std::min(fail_on, scene::Severity::warning)));
}

int check(const CheckArguments& arguments)
{
    const auto profile = server::load_check_profile(arguments.profile);
    if (!profile) {
        fmt::print(stderr, "vitrine: --profile: {}\n", profile.error());
        return usage_error;
    }
    const auto fail_on = scene::find_severity(arguments.fail_on).value();
    std::vector<api::CheckedModel> models;
    bool is_readable = true, is_clean = true;
    ProgressLine progress;
    for (const auto& file : arguments.files) {
        if (arguments.files.size() > 1) progress.show(models.size() + 1, arguments.files.size(), file);
        models.push_back(check_one(file, *profile, arguments.loading, progress));
        is_readable = is_readable && models.back().failure.empty();
        is_clean = is_clean && scene::worst_severity(models.back().findings) < fail_on;
    }
    progress.clear();
    print_report(arguments, *profile, models, fail_on);
    return !is_readable ? unreadable_exit : is_clean ? 0 : findings_exit;
}

} // namespace

Action declare_check(CLI::App& app)
{
    auto arguments = std::make_shared<CheckArguments>();
    app.add_option("FILE", arguments->files, "Model files, or folders with one model")->required();
    app.add_option("--profile", arguments->profile,
                   "default, game-console, mobile, webgl, vr, film-preview, or a JSON file (api/README.md)")
        ->capture_default_str();
    app.add_option("--format", arguments->format, "text, json, sarif (2.1.0) or junit")
        ->capture_default_str()
        ->check(CLI::IsMember({"text", "json", "sarif", "junit"}));
    app.add_option("--fail-on", arguments->fail_on, "The least severity that gives exit code 1")
        ->capture_default_str()
        ->check(CLI::IsMember({"note", "warning", "error"}));
    app.add_flag("--notes", arguments->with_notes, "List notes in the text too");
    server::declare_loading(app, arguments->loading);
    arguments->loading.pixels = worker::PixelResult::left_out;
    return [arguments] { return check(*arguments); };
}

} // namespace vitrine::cli
