#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/json_text.hpp"
#include "api/scene_json.hpp"
#include "server/cli/command.hpp"
#include "server/cli/scene_file.hpp"
#include "server/cli/terminal/progress.hpp"
#include "server/loader_options.hpp"

namespace vitrine::cli {
namespace {

struct InspectArguments {
    std::vector<std::string> files;
    worker::ClientOptions loading;
};

bool inspect_one(const std::string& file, const worker::ClientOptions& loading, bool alone,
                 ProgressLine& progress)
{
    const auto scene = load_or_report(file, loading);
    progress.clear();
    if (!scene) return false;
    const auto report = api::inspect_json(*scene);
    fmt::print("{}\n", alone ? api::to_pretty_text(report) : api::to_text(report));
    return true;
}

// While the loader process starts, which takes as long: binds the functions of a report and reads their
// pages.
void prepare_report()
{
    api::to_pretty_text(api::inspect_json(scene::Scene()));
}

int inspect(const InspectArguments& arguments)
{
    const auto count = arguments.files.size();
    bool good = true;
    ProgressLine progress;
    for (std::size_t i = 0; i < count; ++i) {
        if (count > 1) progress.show(i + 1, count, arguments.files[i]);
        good = inspect_one(arguments.files[i], arguments.loading, count == 1, progress) && good;
    }
    return good ? 0 : 1;
}

} // namespace

Action declare_inspect(CLI::App& app)
{
    auto arguments = std::make_shared<InspectArguments>();
    app.add_option("FILE", arguments->files,
                   "Model files, or folders with one model; for several, one object per line")
        ->required();
    server::declare_loading(app, arguments->loading);
    arguments->loading.pixels = worker::PixelResult::left_out;
    arguments->loading.started = prepare_report;
    return [arguments] { return inspect(*arguments); };
}

} // namespace vitrine::cli
