// The files that a model of a library may name, by its folder.

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "loaders/base/ascii.hpp"
#include "loaders/io/resource_name.hpp"
#include "server/services/libraries/library_scan.hpp"

namespace vitrine::server {
namespace {

constexpr std::array<std::string_view, 6> companion_folders{"textures", "texture",   "tex",
                                                            "maps",     "materials", "images"};
constexpr std::size_t max_folder_files = 1'000; // of a folder whose models are grouped together
constexpr std::size_t max_companions = 2'000;   // of a bundle
constexpr std::size_t max_folders = 1'000;      // whose files a bundle has

void add_some(std::vector<LibraryFile>& files, std::vector<LibraryFile> more)
{
    for (auto& file : more)
        if (!file.is_model && files.size() < max_companions) files.push_back(std::move(file));
}

bool is_in_one_of(const std::set<std::string>& folders, std::string path)
{
    for (; !path.empty(); path = parent_of(path))
        if (folders.contains(path)) return true;
    return false;
}

// Of the folders below that have no model, nor have the folders between.
void add_below(const LibraryIndex& index, const std::string& folder, std::vector<LibraryFile>& files)
{
    std::set<std::string> with_models;
    for (const auto& [path, has_models] : index.folders_below(folder, max_folders)) {
        if (has_models) with_models.insert(path);
        if (!is_in_one_of(with_models, path)) add_some(files, index.files_in(path));
    }
}

// Returns whether there are any.
bool add_beside(const LibraryIndex& index, const std::string& folder, std::vector<LibraryFile>& files)
{
    const auto before = files.size();
    const auto parent = parent_of(folder);
    for (const auto word : companion_folders)
        for (const bool is_capital : {false, true}) {
            std::string name(word);
            if (is_capital) name.front() = static_cast<char>(name.front() - 'a' + 'A');
            const auto path = join_path(parent, name);
            if (path != folder && !index.has_models(path)) add_some(files, index.files_in(path));
        }
    return files.size() > before;
}

// Each model with the files whose names begin with its own.
std::vector<FolderBundle> split_large(const std::string& folder, const std::vector<LibraryFile>& files)
{
    std::map<std::string, const LibraryFile*> companions; // by name
    for (const auto& file : files)
        if (!file.is_model) companions[file.key.name] = &file;
    std::vector<FolderBundle> bundles;
    for (const auto& file : files) {
        if (!file.is_model) continue;
        FolderBundle bundle{folder, {file}};
        const std::string stem(io::stem_of(file.key.name));
        for (auto at = companions.lower_bound(stem); at != companions.end() && at->first.starts_with(stem);
             ++at)
            if (bundle.files.size() < max_companions) bundle.files.push_back(*at->second);
        bundles.push_back(std::move(bundle));
    }
    return bundles;
}

} // namespace

std::string parent_of(const std::string& folder)
{
    const auto slash = folder.rfind('/');
    return slash == folder.npos ? std::string() : folder.substr(0, slash);
}

bool is_companion_folder(std::string_view name)
{
    return std::ranges::find(companion_folders, ascii::lower(name)) != companion_folders.end();
}

std::vector<FolderBundle> bundle_folder(const LibraryIndex& index, const std::string& folder)
{
    FolderBundle bundle{folder, index.files_in(folder)};
    if (bundle.files.size() > max_folder_files) return split_large(folder, bundle.files);
    add_below(index, folder, bundle.files);
    if (!folder.empty() && add_beside(index, folder, bundle.files)) bundle.base = parent_of(folder);
    std::vector<FolderBundle> bundles;
    bundles.push_back(std::move(bundle));
    return bundles;
}

} // namespace vitrine::server
