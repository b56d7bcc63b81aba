#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "api/json_text.hpp"
#include "api/pose_json.hpp"
#include "server/cli/command.hpp"
#include "server/cli/pose_options.hpp"
#include "server/cli/scene_file.hpp"

namespace vitrine::cli {
namespace {

struct PoseCommandArguments {
    std::string file;
    worker::ClientOptions loading;
    PoseArguments pose;
};

int print_pose(const PoseCommandArguments& arguments)
{
    const auto opened = open_or_report(arguments.file, arguments.loading, arguments.pose);
    if (!opened) return 1;
    const auto& [scene, chosen] = *opened;
    scene::Pose pose;
    evaluate(scene, chosen, pose);
    const bool is_static = chosen.clip == scene::none && !chosen.layers;
    const auto time = is_static ? std::nullopt : std::optional(chosen.time);
    fmt::print("{}\n", api::to_pretty_text(api::pose_json(scene, chosen.clip, time, pose)));
    return 0;
}

} // namespace

Action declare_pose(CLI::App& app)
{
    auto arguments = std::make_shared<PoseCommandArguments>();
    add_file_options(app, arguments->file, arguments->loading);
    add_pose_options(app, arguments->pose);
    return [arguments] { return print_pose(*arguments); };
}

} // namespace vitrine::cli
