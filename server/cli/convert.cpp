#include <cstdio>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "loaders/export/gltf/gltf_writer.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/scene/layers/bake_motion.hpp"
#include "server/cli/command.hpp"
#include "server/cli/output_file.hpp"
#include "server/cli/pose_options.hpp"
#include "server/cli/scene_file.hpp"

namespace vitrine::cli {
namespace {

struct ConvertArguments {
    std::string file;
    worker::ClientOptions loading;
    std::string output;
    PoseArguments pose;
};

std::string check_convert_output(const std::string& output)
{
    return io::extension_of(output) == ".glb" ? "" : "the output's name must end in .glb";
}

// Puts the motion in place of the clips: that of the layers, or one of the file's clips.
std::expected<void, std::string> bake_motion(scene::Scene& scene, const ChosenPose& chosen)
{
    if (chosen.layers) return scene::bake_motion(scene, *chosen.layers);
    if (chosen.clip == scene::none) return {};
    const scene::AnimationLayers layers{.layers = {{.clip = chosen.clip, .repeats = false}}};
    return scene::bake_motion(scene, layers);
}

int convert(const ConvertArguments& arguments)
{
    auto opened = open_or_report(arguments.file, arguments.loading, arguments.pose);
    if (!opened) return 1;
    if (const auto baked = bake_motion(opened->scene, opened->chosen); !baked) {
        fmt::print(stderr, "vitrine: {}: {}\n", arguments.file, baked.error());
        return 1;
    }
    std::vector<scene::Warning> warnings;
    const auto bytes = exporting::write_glb(opened->scene, &warnings);
    if (!bytes) {
        report_error(arguments.file, bytes.error());
        return 1;
    }
    for (const auto& warning : warnings)
        fmt::print(stderr, "vitrine: {}: warning: {} at {}: {}\n", arguments.file, warning.code,
                   warning.where, warning.message);
    write_output(arguments.output, std::as_bytes(std::span(*bytes)));
    return 0;
}

} // namespace

Action declare_convert(CLI::App& app)
{
    auto arguments = std::make_shared<ConvertArguments>();
    add_file_options(app, arguments->file, arguments->loading);
    app.add_option("OUTPUT", arguments->output, "OUT.glb")->required()->check(check_convert_output);
    add_motion_options(app, arguments->pose);
    add_variant_option(app, arguments->pose.variant);
    add_look_options(app, arguments->pose.look);
    app.get_option("--variant")->description("Export only this material variant; default: all");
    app.get_option("--clip")->description(
        "Export one clip, \"layers\", of this motion and that of the options below: name, id (c0), index or "
        "part of the name of a clip, frames:A-B or frames:all (MD2), FILE:NAME. Default: all clips");
    return [arguments] { return convert(*arguments); };
}

} // namespace vitrine::cli
