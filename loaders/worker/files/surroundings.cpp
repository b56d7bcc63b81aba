#include "loaders/worker/files/surroundings.hpp"

#include <algorithm>
#include <utility>

#include "loaders/worker/files/bundle_names.hpp"
#include "loaders/worker/files/game_package.hpp"

namespace vitrine::worker {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view parent_prefix = "../";
constexpr std::size_t max_folders = 256;

// Removes each leading "../" from `name` and returns their number.
std::size_t take_levels(std::string_view& name)
{
    std::size_t levels = 0;
    for (; name.starts_with(parent_prefix); ++levels)
        name.remove_prefix(parent_prefix.size());
    return levels;
}

fs::path above(fs::path folder, std::size_t levels)
{
    for (; levels > 0; --levels)
        folder = folder.parent_path();
    return folder.has_relative_path() ? folder : fs::path();
}

} // namespace

bool is_name_above(std::string_view name)
{
    const auto levels = take_levels(name);
    const bool is_hidden = name.starts_with('.') || name.contains("/.");
    return levels > 0 && levels <= max_levels && is_normalized_name(name) && !is_hidden;
}

bool is_sibling_image_name(std::string_view name)
{
    return !name.contains('/') && may_request_from_package("beside/" + std::string(name));
}

FileDescriptor open_above(const fs::path& folder, std::string_view name)
{
    const auto levels = take_levels(name);
    const auto root = above(folder, levels);
    return root.empty() ? FileDescriptor(-1) : open_beneath(root, std::string(name));
}

SiblingFolders folders_beside(const fs::path& folder)
{
    const auto parent = above(folder, 1);
    if (parent.empty()) return {FileDescriptor(-1), {}};
    std::vector<std::string> others;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(parent, error)) {
        if (others.size() == max_folders) break;
        const auto name = entry.path().filename().string();
        if (name.starts_with('.') || entry.path() == folder || !is_normalized_name(name)) continue;
        if (entry.is_symlink(error) || !entry.is_directory(error)) continue;
        others.push_back(name);
    }
    std::ranges::sort(others);
    std::vector<std::string> folders{"textures", "texture", ""};
    for (auto& other : others)
        if (std::ranges::find(folders, other) == folders.end()) folders.push_back(std::move(other));
    return {open_folder(parent), std::move(folders)};
}

FileDescriptor open_beside(const SiblingFolders& siblings, std::string_view folder, std::string_view name)
{
    return open_beneath(siblings.parent, std::string(folder).append(folder.empty() ? "" : "/").append(name));
}

} // namespace vitrine::worker
