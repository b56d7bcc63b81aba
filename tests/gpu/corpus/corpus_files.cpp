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
    std::vector<fs::path> files;
    // The order is the same wherever the corpus lies.
    const auto add = [&](const fs::path& folder, const auto& accepts) {
        if (!fs::is_directory(folder)) return;
        const auto first = static_cast<std::ptrdiff_t>(files.size());
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file() && format_of(entry.path()) != nullptr &&
                accepts(extension_of(entry.path())))
                files.push_back(entry.path());
        std::sort(files.begin() + first, files.end());
    };
    add("/usr/share/assimp/models", accepts_assimp);
    add(corpus, [](const std::string&) { return true; });
    return files;
}

bool shows_something(const render::Frame& frame)
{
    for (std::size_t i = 3; i < frame.pixels.size(); i += 4)
        if (frame.pixels[i] != 0) return true;
    return false;
}

} // namespace vitrine::test
