#include "tests/gpu/corpus/corpus_files.hpp"

#include <algorithm>

#include "loaders/base/ascii.hpp"

namespace fs = std::filesystem;

namespace vitrine::test {

std::string extension_of(const fs::path& file)
{
    return ascii::lower(file.extension().string());
}

const worker::Format* format_of(const fs::path& file)
{
    for (const auto& format : worker::formats())
        if (std::ranges::find(format.extensions, extension_of(file)) != format.extensions.end())
            return &format;
    return nullptr;
}

std::vector<fs::path> list_models(const fs::path& corpus,
                                  const std::function<bool(const std::string& extension)>& accepts_assimp)
{
    constexpr const char* assimp_models = "/usr/share/assimp/models";
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(corpus))
        if (entry.is_regular_file() && format_of(entry.path()) != nullptr) files.push_back(entry.path());
    if (fs::is_directory(assimp_models))
        for (const auto& entry : fs::recursive_directory_iterator(assimp_models))
            if (entry.is_regular_file() && format_of(entry.path()) != nullptr &&
                accepts_assimp(extension_of(entry.path())))
                files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

bool shows_something(const render::Frame& frame)
{
    for (std::size_t i = 3; i < frame.pixels.size(); i += 4)
        if (frame.pixels[i] != 0) return true;
    return false;
}

} // namespace vitrine::test
