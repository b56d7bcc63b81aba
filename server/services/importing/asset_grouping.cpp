#include "server/services/importing/asset_grouping.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>

#include <fmt/format.h>

#include "loaders/base/model_formats.hpp"
#include "loaders/base/utf8.hpp"
#include "loaders/io/image_names.hpp"
#include "loaders/io/resource_name.hpp"
#include "server/services/catalog/records.hpp"

namespace vitrine::server {
namespace {

bool is_image(std::string_view name)
{
    return io::is_image_name(name) || io::is_undecodable_image_name(name);
}

// All models of an upload with their animation files and parts, indexed for the comparison with other files.
// Views refer to the groups' names.
struct ModelGroups {
    std::unordered_set<std::string_view> names, stems, folders;

    void add(std::string_view name)
    {
        names.insert(name);
        stems.insert(io::path_without_extension(name));
        folders.insert(io::folder_of(name));
    }
};

// Properties of a file that are the same for every model.
struct Candidate {
    const FileRecord* file;
    std::string_view stem, folder;
    bool is_model = false;
    bool has_owner = false;    // a buffer or material library named like a model, to which it belongs
    bool lives_there = false;  // not an image, and in the same folder as a model
    bool is_referable = false; // a model may refer to it
};

// Returns whether a model may refer to such a file. Other files of an upload with several models (read-me,
// license) are stored with each of them, but do not change the identity of a known model.
bool is_referable(std::string_view name)
{
    return is_image(name) || is_companion_extension(io::extension_of(name));
}

Candidate candidate(const FileRecord& file, const ModelGroups& models)
{
    Candidate out{
        .file = &file, .stem = io::path_without_extension(file.name), .folder = io::folder_of(file.name)};
    out.is_model = models.names.contains(file.name);
    out.has_owner = is_namesake_extension(io::extension_of(file.name)) && models.stems.contains(out.stem);
    out.lives_there = !is_image(file.name) && models.folders.contains(out.folder);
    out.is_referable = is_referable(file.name);
    return out;
}

// Returns whether the file clearly belongs to a model other than `main`: it is a model, a buffer or material
// library with another model's name, or not an image and in a folder with models but not `main`.
bool is_of_another(const Candidate& candidate, const std::string& main)
{
    if (candidate.file->name == main) return false;
    if (candidate.is_model) return true;
    if (candidate.has_owner && candidate.stem != io::path_without_extension(main)) return true;
    return candidate.lives_there && !main.starts_with(candidate.folder);
}

// Returns whether games use this name for every model; the folder's name identifies the model then.
bool is_generic_name(std::string_view stem)
{
    static constexpr std::array<std::string_view, 3> stems{"lower", "upper", "tris"};
    return std::ranges::find(stems, stem) != stems.end();
}

// Returns the file's stem; the folder's name for a Quake player model (lower, tris); folder and stem where
// the upload has another file of that name, because game libraries have one "mesh.md5mesh" per folder.
std::string asset_name(const std::string& main, bool repeated)
{
    const auto base = io::base_name(main);
    auto name = std::string(base.substr(0, base.size() - io::extension_of(base).size()));
    if (name.empty()) name = base;
    const auto folder = io::folder_of(main);
    if (is_generic_name(name) && !folder.empty())
        name = io::base_name(folder.substr(0, folder.size() - 1));
    else if (repeated && !folder.empty())
        name = fmt::format("{} {}", io::base_name(folder.substr(0, folder.size() - 1)), name);
    return std::string(truncate_utf8(name, max_name_bytes));
}

ModelGroups models_of(const std::vector<worker::ModelGroup>& groups)
{
    ModelGroups models;
    for (const auto& group : groups) {
        models.add(group.main);
        for (const auto& name : group.animations)
            models.add(name);
        for (const auto& name : group.parts)
            models.add(name);
    }
    return models;
}

std::unordered_set<std::string_view> names_of(const worker::ModelGroup& group)
{
    std::unordered_set<std::string_view> names{group.main};
    names.insert(group.animations.begin(), group.animations.end());
    names.insert(group.parts.begin(), group.parts.end());
    return names;
}

} // namespace

std::vector<NewAsset> make_new_assets(const std::vector<FileRecord>& files,
                                      const std::vector<worker::ModelGroup>& groups)
{
    const auto models = models_of(groups);
    std::vector<Candidate> candidates;
    for (const auto& file : files)
        candidates.push_back(candidate(file, models));
    std::map<std::string_view, std::size_t> base_names;
    for (const auto& group : groups)
        ++base_names[io::base_name(group.main)];
    std::vector<NewAsset> assets;
    for (const auto& group : groups) {
        const auto& main = group.main;
        NewAsset asset{asset_name(main, base_names[io::base_name(main)] > 1), main, {}, {}};
        const auto group_names = names_of(group);
        for (const auto& file : candidates) {
            const bool needed = group_names.contains(file.file->name);
            if (groups.size() > 1 && !needed && is_of_another(file, main)) continue;
            const bool counts = groups.size() == 1 || needed || file.is_referable;
            (counts ? asset.files : asset.attached).push_back(*file.file);
        }
        assets.push_back(std::move(asset));
    }
    return assets;
}

} // namespace vitrine::server
