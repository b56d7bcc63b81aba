#include "server/cli/scene_file.hpp"

#include <cstdio>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "loaders/worker/client.hpp"

namespace vitrine::cli {

std::optional<scene::Scene> load_or_complain(const std::string& file)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) {
        complain(file, {LoadErrc::missing_file, "", "it is a folder; name a file in it"});
        return std::nullopt;
    }
    const auto files = worker::bundle_beside(file);
    auto scene = worker::load_scene(files, files.front().name, {});
    if (scene) return std::move(*scene);
    complain(file, scene.error());
    return std::nullopt;
}

std::optional<Opened> open_or_complain(const std::string& file, const PoseArguments& arguments)
{
    auto scene = load_or_complain(file);
    if (!scene) return std::nullopt;
    const auto chosen = choose_pose(*scene, arguments);
    if (chosen) return Opened{std::move(*scene), *chosen};
    fmt::print(stderr, "vitrine: {}: {}\n", file, chosen.error());
    return std::nullopt;
}

void complain(const std::string& file, const LoadError& error)
{
    const auto place = error.where.empty() ? std::string("the file") : error.where;
    fmt::print(stderr, "vitrine: {}: {} at {}: {}\n", file, to_string(error.code), place, error.detail);
}

} // namespace vitrine::cli
