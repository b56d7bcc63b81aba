#pragma once
// The files that are compared with assimp, and how differences are judged.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/corpus/assimp_comparison.hpp"
#include "tests/corpus/assimp_differences.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine {

namespace fs = std::filesystem;
using Load = LoadResult<scene::Scene> (*)(Source&, const Limits&);

inline constexpr std::string_view skipped = "no corpus, or no assimp-testmodels";
inline constexpr std::uintmax_t max_file_bytes = 5'000'000; // bytes

// The files with one of the extensions, which are lower case.
inline std::vector<fs::path> files_with(std::string_view extension)
{
    std::vector<fs::path> files;
    std::vector<fs::path> folders{"/usr/share/assimp/models"};
    if (const auto corpus = test::corpus_dir()) folders.push_back(*corpus);
    for (const fs::path& folder : folders) {
        if (!fs::is_directory(folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            std::string found = entry.path().extension().string();
            std::ranges::transform(found, found.begin(), [](unsigned char c) { return std::tolower(c); });
            if (found == extension && entry.is_regular_file() && entry.file_size() <= max_file_bytes)
                files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    return files;
}

inline bool has_everything()
{
    return test::corpus_dir() && fs::is_directory("/usr/share/assimp/models");
}

inline std::optional<scene::Scene> load(Load loader, const fs::path& file)
{
    auto source = test::MemorySource::folder_of(file);
    auto loaded = loader(source, {});
    if (!loaded) return std::nullopt;
    for (scene::Node& node : loaded->nodes)
        node.visible = true; // assimp has no visibility
    return *std::move(loaded);
}

// A file of the table must differ in exactly the aspects of its row.
inline void expect_known(const fs::path& file, const test::Differences& found)
{
    const test::KnownDifference* known = test::find_known_difference(file.generic_string());
    std::string aspects, details;
    for (const auto& [aspect, detail] : found) {
        aspects += (aspects.empty() ? "" : " ") + aspect;
        details += fmt::format("\n  {}: {}", aspect, detail);
    }
    EXPECT_EQ(aspects, known ? known->aspects : "") << file.string() << details;
}

} // namespace vitrine
