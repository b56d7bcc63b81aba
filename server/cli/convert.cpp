#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "loaders/export/gltf/gltf_writer.hpp"
#include "loaders/io/resource_name.hpp"
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
    std::optional<std::string> variant;
    scene::LookTexts look;
    std::vector<std::string> attachments;
};

std::string check_convert_output(const std::string& output)
{
    return io::extension_of(output) == ".glb" ? "" : "the output's name must end in .glb";
}

int convert(const ConvertArguments& arguments)
{
    auto scene = load_or_report(arguments.file, arguments.loading);
    if (!scene || !apply_variant_or_report(arguments.file, *scene, arguments.variant)) return 1;
    const auto look = find_look_or_report(arguments.file, *scene, arguments.look);
    if (!look || !attach_or_report(arguments.file, *scene, arguments.attachments, arguments.loading))
        return 1;
    if (!apply_look_or_report(arguments.file, *scene, *look)) return 1;
    std::vector<scene::Warning> warnings;
    const auto bytes = exporting::write_glb(*scene, &warnings);
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
    add_attach_option(app, arguments->attachments);
    add_variant_option(app, arguments->variant);
    add_look_options(app, arguments->look);
    app.get_option("--variant")->description("Export only this material variant; default: all");
    return [arguments] { return convert(*arguments); };
}

} // namespace vitrine::cli
