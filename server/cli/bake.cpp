#include <memory>
#include <span>
#include <string>

#include "loaders/export/obj/baked_mesh.hpp"
#include "loaders/export/obj/mesh_files.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "server/cli/command.hpp"
#include "server/cli/output_file.hpp"
#include "server/cli/pose_options.hpp"
#include "server/cli/scene_file.hpp"

namespace vitrine::cli {
namespace {

struct BakeArguments {
    std::string file;
    worker::ClientOptions loading;
    std::string output;
    std::string space = "scene";
    PoseArguments pose;
};

bool is_ply(const std::string& output)
{
    return io::extension_of(output) == ".ply";
}

std::string check_bake_output(const std::string& output)
{
    return is_ply(output) || io::extension_of(output) == ".obj"
               ? ""
               : "the output's name must end in .obj or .ply";
}

int bake(const BakeArguments& arguments)
{
    const auto opened = open_or_report(arguments.file, arguments.loading, arguments.pose);
    if (!opened) return 1;
    scene::Pose pose;
    pose.origin = scene::rendering_origin(opened->scene);
    evaluate(opened->scene, opened->chosen, pose);
    const auto mesh =
        bake_mesh(opened->scene, pose, arguments.space == "file" ? BakeSpace::file : BakeSpace::scene);
    if (!mesh) {
        report_error(arguments.file, mesh.error());
        return 1;
    }
    const auto bytes = is_ply(arguments.output) ? write_mesh_ply(*mesh) : write_mesh_obj(*mesh);
    write_output(arguments.output, std::as_bytes(std::span(bytes)));
    return 0;
}

} // namespace

Action declare_bake(CLI::App& app)
{
    auto arguments = std::make_shared<BakeArguments>();
    add_file_options(app, arguments->file, arguments->loading);
    add_pose_options(app, arguments->pose);
    add_look_options(app, arguments->pose.look);
    app.add_option("--space", arguments->space, "scene: meters, Y up; file: the file's own axes and unit")
        ->check(CLI::IsMember({"file", "scene"}));
    app.add_option("-o,--output", arguments->output, "OUT.obj or OUT.ply")
        ->required()
        ->check(check_bake_output);
    return [arguments] { return bake(*arguments); };
}

} // namespace vitrine::cli
