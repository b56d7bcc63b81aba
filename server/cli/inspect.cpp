#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/json_text.hpp"
#include "api/scene_json.hpp"
#include "server/cli/command.hpp"
#include "server/cli/scene_file.hpp"

namespace vitrine::cli {
namespace {

bool inspect_one(const std::string& file, bool alone)
{
    const auto scene = load_or_complain(file);
    if (!scene) return false;
    const auto facts = api::inspect_json(*scene);
    fmt::print("{}\n", alone ? api::to_pretty_text(facts) : api::to_text(facts));
    return true;
}

int inspect(const std::vector<std::string>& files)
{
    bool good = true;
    for (const auto& file : files)
        good = inspect_one(file, files.size() == 1) && good;
    return good ? 0 : 1;
}

} // namespace

Action declare_inspect(CLI::App& app)
{
    auto files = std::make_shared<std::vector<std::string>>();
    app.add_option("FILE", *files, "Model files; several print one object a line")->required();
    return [files] { return inspect(*files); };
}

} // namespace vitrine::cli
