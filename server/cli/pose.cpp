#include <cstdio>
#include <memory>
#include <string>

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "api/scene_json.hpp"
#include "server/cli/command.hpp"
#include "server/cli/pose_options.hpp"
#include "server/cli/scene_file.hpp"
#include "server/loader_options.hpp"

namespace vitrine::cli {
namespace {

namespace json = boost::json;

struct Arguments {
    std::string file;
    worker::ClientOptions loading;
    PoseArguments pose;
};

json::object pose_json(const scene::Scene& scene, const ChosenPose& chosen)
{
    scene::Pose pose;
    evaluate(scene, chosen, pose);
    const bool batched_frame = chosen.clip == scene::none;
    return {{"clip", batched_frame ? json::value(nullptr) : json::value(api::clip_json(scene, chosen.clip))},
            {"time", batched_frame ? json::value(nullptr) : api::number(chosen.time)},
            {"nodes", api::nodes_json(scene, pose)}};
}

int print_pose(const Arguments& arguments)
{
    const auto opened = open_or_report(arguments.file, arguments.loading, arguments.pose);
    if (!opened) return 1;
    fmt::print("{}\n", api::to_pretty_text(pose_json(opened->scene, opened->chosen)));
    return 0;
}

} // namespace

Action declare_pose(CLI::App& app)
{
    auto arguments = std::make_shared<Arguments>();
    app.add_option("FILE", arguments->file, "Model file, or a folder with one model")->required();
    server::declare_loading(app, arguments->loading);
    add_pose_options(app, arguments->pose);
    return [arguments] { return print_pose(*arguments); };
}

} // namespace vitrine::cli
