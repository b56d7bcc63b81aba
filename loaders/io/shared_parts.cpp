#include "loaders/io/shared_parts.hpp"

#include <algorithm>
#include <string_view>

#include "loaders/base/ascii.hpp"
#include "loaders/io/resource_name.hpp"

namespace vitrine::io {
namespace {

using PartNames = std::map<std::string, std::string>;
// The files of one folder: lower-case stem -> name.
using Folder = std::map<std::string, std::string>;

std::map<std::string, Folder> folders_of(const std::vector<std::string>& names, std::string_view extension)
{
    std::map<std::string, Folder> folders;
    for (const std::string& name : names) {
        if (extension_of(name) != extension) continue;
        const std::string_view base = base_name(name);
        folders[std::string(folder_of(name))].emplace(
            ascii::lower(base.substr(0, base.size() - extension.size())), name);
    }
    return folders;
}

// "head" for "head_1"; empty for a name that is not a level of detail.
std::string base_of_level(const std::string& stem)
{
    const std::size_t size = stem.size();
    const bool level = size > 2 && stem[size - 2] == '_' && stem[size - 1] >= '1' && stem[size - 1] <= '9';
    return level ? stem.substr(0, size - 2) : std::string();
}

// Removes levels of detail from the folder; `levels` maps each to the stem of its model.
std::map<std::string, std::string> take_levels(Folder& folder)
{
    std::map<std::string, std::string> levels;
    for (const auto& [stem, name] : folder) {
        const std::string base = base_of_level(stem);
        if (!base.empty() && folder.contains(base)) levels.emplace(name, base);
    }
    std::erase_if(folder, [&](const auto& entry) { return levels.contains(entry.second); });
    return levels;
}

const std::string* find(const Folder& folder, const std::string& stem)
{
    const auto found = folder.find(stem);
    return found == folder.end() ? nullptr : &found->second;
}

// The only file of the folder besides these stems, if there is exactly one; weapon if that exists.
const std::string* find_weapon(const Folder& folder, std::initializer_list<std::string_view> excluded_stems)
{
    if (const std::string* weapon = find(folder, "weapon")) return weapon;
    const std::string* only = nullptr;
    for (const auto& [stem, name] : folder) {
        if (std::ranges::find(excluded_stems, stem) != excluded_stems.end()) continue;
        if (only != nullptr) return nullptr;
        only = &name;
    }
    return only;
}

void add_player(const Folder& folder, PartNames& parts)
{
    const std::string* lower = find(folder, "lower");
    const std::string* upper = find(folder, "upper");
    const std::string* head = find(folder, "head");
    if (upper == nullptr || (lower == nullptr && head == nullptr)) return;
    const std::string& owner = lower != nullptr ? *lower : *upper;
    for (const std::string* part : {upper, head, find_weapon(folder, {"lower", "upper", "head"})})
        if (part != nullptr && *part != owner) parts.emplace(*part, owner);
}

void add_md3(Folder folder, PartNames& parts)
{
    const auto levels = take_levels(folder);
    add_player(folder, parts);
    for (const auto& [level, base] : levels) {
        std::string stem = base; // a level of a level, x_1_2, belongs to x
        while (!folder.contains(stem))
            stem = base_of_level(stem);
        const std::string& model = folder.at(stem);
        const auto owner = parts.find(model);
        parts.emplace(level, owner == parts.end() ? model : owner->second);
    }
}

void add_md2(const Folder& folder, PartNames& parts)
{
    const std::string* weapon = find(folder, "weapon");
    if (weapon == nullptr || folder.size() < 2) return;
    const std::string* model = find(folder, "tris");
    if (model == nullptr && folder.size() == 2)
        model = &(folder.begin()->first == "weapon" ? std::next(folder.begin()) : folder.begin())->second;
    if (model != nullptr) parts.emplace(*weapon, *model);
}

} // namespace

std::map<std::string, std::string> find_shared_parts(const std::vector<std::string>& names)
{
    PartNames parts;
    for (auto& [path, folder] : folders_of(names, ".md3"))
        add_md3(std::move(folder), parts);
    for (const auto& [path, folder] : folders_of(names, ".md2"))
        add_md2(folder, parts);
    return parts;
}

bool may_be_shared_part(std::string_view name)
{
    const auto extension = extension_of(name);
    return extension == ".md3" || (extension == ".md2" && ascii::lower(base_name(name)) == "weapon.md2");
}

} // namespace vitrine::io
