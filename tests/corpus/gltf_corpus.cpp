#include "tests/corpus/gltf_corpus.hpp"

#include <algorithm>

#include "loaders/io/resource_name.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::test {

namespace fs = std::filesystem;

FolderSource::FolderSource(const fs::path& file) : folder_(file.parent_path()), main_name_(file.filename())
{
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
        if (entry.is_regular_file()) names_.push_back(fs::relative(entry.path(), folder_).generic_string());
    std::ranges::sort(names_);
}

std::optional<Bytes> FolderSource::open(std::string_view name)
{
    if (!std::ranges::binary_search(names_, name)) return std::nullopt;
    auto found = read_.find(name);
    if (found == read_.end()) found = read_.emplace(name, read_file(folder_ / name)).first;
    return std::as_bytes(std::span(found->second.data(), found->second.size()));
}

std::vector<fs::path> gltf_files(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string extension = io::extension_of(entry.path().string());
        if (entry.is_regular_file() && (extension == ".gltf" || extension == ".glb"))
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

} // namespace vitrine::test
