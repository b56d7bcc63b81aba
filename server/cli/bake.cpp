#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "loaders/export/baked_mesh.hpp"
#include "loaders/export/mesh_obj.hpp"
#include "loaders/export/mesh_ply.hpp"
#include "server/cli/command.hpp"
#include "server/cli/pose_choice.hpp"
#include "server/cli/scene_file.hpp"

namespace vitrine::cli {
namespace {

struct Arguments {
    std::string file;
    std::string output;
    std::string space = "scene";
    PoseArguments pose;
};

bool is_ply(const std::string& output)
{
    return std::filesystem::path(output).extension() == ".ply";
}

std::string check_output(const std::string& output)
{
    const auto extension = std::filesystem::path(output).extension();
    return extension == ".obj" || extension == ".ply" ? "" : "the output's name must end in .obj or .ply";
}

void write_file(const std::string& path, const std::string& bytes)
{
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) throw std::runtime_error(path + ": cannot be written");
}

int bake(const Arguments& arguments)
{
    const auto scene = load_or_complain(arguments.file);
    if (!scene) return 1;
    const auto chosen = choose_pose(*scene, arguments.pose);
    if (!chosen) {
        fmt::print(stderr, "vitrine: {}: {}\n", arguments.file, chosen.error());
        return 1;
    }
    scene::Pose pose;
    evaluate(*scene, *chosen, pose);
    const auto mesh = bake_mesh(*scene, pose, arguments.space == "file" ? BakeSpace::file : BakeSpace::scene);
    if (!mesh) {
        complain(arguments.file, mesh.error());
        return 1;
    }
    write_file(arguments.output, is_ply(arguments.output) ? write_mesh_ply(*mesh) : write_mesh_obj(*mesh));
    return 0;
}

} // namespace

Action declare_bake(CLI::App& app)
{
    auto arguments = std::make_shared<Arguments>();
    app.add_option("FILE", arguments->file, "Model file")->required();
    add_pose_options(app, arguments->pose);
    app.add_option("--space", arguments->space, "scene: metres, Y up; file: the file's own axes and unit")
        ->check(CLI::IsMember({"file", "scene"}));
    app.add_option("-o", arguments->output, "OUT.obj or OUT.ply")->required()->check(check_output);
    return [arguments] { return bake(*arguments); };
}

} // namespace vitrine::cli
