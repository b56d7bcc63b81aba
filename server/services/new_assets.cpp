#include "server/services/new_assets.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "loaders/io/resource_name.hpp"

namespace vitrine::server {
namespace {

std::string_view stem_of(std::string_view name) // with its folder: "a/robot" of "a/robot.gltf"
{
    return name.substr(0, name.size() - io::extension_of(name).size());
}

bool is_picture(std::string_view name)
{
    static constexpr std::array extensions{".png",  ".jpg",  ".jpeg", ".tga", ".bmp", ".gif",
                                           ".webp", ".pcx",  ".dds",  ".psd", ".psb", ".hdr",
                                           ".ktx",  ".ktx2", ".tif",  ".tiff"};
    return std::ranges::find(extensions, io::extension_of(name)) != extensions.end();
}

struct Models {
    std::vector<std::string> names; // and of files that animate them or are parts of them

    bool has(std::string_view name) const { return std::ranges::find(names, name) != names.end(); }
    bool has_stem(std::string_view stem) const
    {
        return std::ranges::any_of(names, [&](const auto& model) { return stem_of(model) == stem; });
    }
    bool has_folder(std::string_view folder) const
    {
        return std::ranges::any_of(names, [&](const auto& model) { return io::folder_of(model) == folder; });
    }
};

// Whether `file` is plainly another model's and not `main`'s: a model itself, the buffer or material library
// with another model's name, or no picture and in a folder where others live and `main` does not.
bool is_of_another(const std::string& file, const std::string& main, const Models& models)
{
    if (file == main) return false;
    if (models.has(file)) return true;
    const auto extension = io::extension_of(file);
    if ((extension == ".bin" || extension == ".mtl") && stem_of(file) != stem_of(main) &&
        models.has_stem(stem_of(file)))
        return true;
    const auto folder = io::folder_of(file);
    return !is_picture(file) && models.has_folder(folder) && !main.starts_with(folder);
}

// Whether a model may name such a file: what came with several models and is none of these (a read-me, a
// licence) stays with each of them, but does not make another model of one that is known.
bool is_referable(std::string_view name)
{
    static constexpr std::array extensions{".mtl", ".bin", ".md5anim", ".skin", ".cfg",
                                           ".xml", ".mc",  ".mcx",     ".pc2"};
    return is_picture(name) || std::ranges::find(extensions, io::extension_of(name)) != extensions.end();
}

std::string cut_to_limit(std::string name)
{
    auto end = std::min<std::size_t>(name.size(), 255);
    while (end > 0 && end < name.size() && (name[end] & 0xc0) == 0x80) // not inside a character
        --end;
    name.resize(end);
    return name;
}

// What all models of a game are called: its folder says whose it is.
bool is_habitual(std::string_view stem)
{
    static constexpr std::array<std::string_view, 3> stems{"lower", "upper", "tris"};
    return std::ranges::find(stems, stem) != stems.end();
}

// The file's stem; its folder's name for a player of Quake (lower, tris); with its folder where the upload
// has another file of that name, for a library of games has one "mesh.md5mesh" in each folder.
std::string asset_name(const std::string& main, bool repeated)
{
    const auto base = io::base_name(main);
    auto name = std::string(base.substr(0, base.size() - io::extension_of(base).size()));
    if (name.empty()) name = base;
    const auto folder = io::folder_of(main);
    if (is_habitual(name) && !folder.empty())
        name = io::base_name(folder.substr(0, folder.size() - 1));
    else if (repeated && !folder.empty())
        name = fmt::format("{} {}", io::base_name(folder.substr(0, folder.size() - 1)), name);
    return cut_to_limit(std::move(name));
}

Models models_of(const std::vector<worker::ModelGroup>& groups)
{
    Models models;
    for (const auto& group : groups) {
        models.names.push_back(group.main);
        models.names.insert(models.names.end(), group.animations.begin(), group.animations.end());
        models.names.insert(models.names.end(), group.parts.begin(), group.parts.end());
    }
    return models;
}

bool belongs(const worker::ModelGroup& group, const std::string& file)
{
    const auto among = [&](const std::vector<std::string>& names) {
        return std::ranges::find(names, file) != names.end();
    };
    return file == group.main || among(group.animations) || among(group.parts);
}

} // namespace

std::vector<NewAsset> make_new_assets(const std::vector<FileRecord>& files,
                                      const std::vector<worker::ModelGroup>& groups)
{
    const auto models = models_of(groups);
    std::map<std::string_view, std::size_t> base_names;
    for (const auto& group : groups)
        ++base_names[io::base_name(group.main)];
    std::vector<NewAsset> assets;
    for (const auto& group : groups) {
        const auto& main = group.main;
        NewAsset asset{asset_name(main, base_names[io::base_name(main)] > 1), main, {}, {}};
        for (const auto& file : files) {
            const bool needed = belongs(group, file.name);
            if (groups.size() > 1 && !needed && is_of_another(file.name, main, models)) continue;
            const bool counts = groups.size() == 1 || needed || is_referable(file.name);
            (counts ? asset.files : asset.attached).push_back(file);
        }
        assets.push_back(std::move(asset));
    }
    return assets;
}

} // namespace vitrine::server
