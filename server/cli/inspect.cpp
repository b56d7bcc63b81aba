#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/json_text.hpp"
#include "api/scene_json.hpp"
#include "server/cli/command.hpp"
#include "server/cli/scene_file.hpp"
#include "server/loader_options.hpp"

namespace vitrine::cli {
namespace {

struct Arguments {
    std::vector<std::string> files;
    worker::ClientOptions loading;
};

bool inspect_one(const std::string& file, const worker::ClientOptions& loading, bool alone)
{
    const auto scene = load_or_report(file, loading);
    if (!scene) return false;
    const auto facts = api::inspect_json(*scene);
    fmt::print("{}\n", alone ? api::to_pretty_text(facts) : api::to_text(facts));
    return true;
}

int inspect(const Arguments& arguments)
{
    bool good = true;
    for (const auto& file : arguments.files)
        good = inspect_one(file, arguments.loading, arguments.files.size() == 1) && good;
    return good ? 0 : 1;
}

} // namespace

Action declare_inspect(CLI::App& app)
{
    auto arguments = std::make_shared<Arguments>();
    app.add_option("FILE", arguments->files,
                   "Model files, or folders with one model; several print one object a line")
        ->required();
    server::declare_loading(app, arguments->loading);
    return [arguments] { return inspect(*arguments); };
}

} // namespace vitrine::cli
