// Folders outside the modules of cmake/folders.cmake: the web client and the tests. No folder depends on
// itself through others, and none holds too many files. Sources are read as text.

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/paths.hpp"

namespace vitrine::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_sources_per_folder = 40;
constexpr std::array<std::string_view, 2> tops{"web_client/src", "tests"};

bool is_source(const fs::path& path)
{
    static const std::set<std::string> extensions{".c", ".cpp", ".h", ".hpp", ".mjs", ".ts"};
    return extensions.contains(path.extension().string());
}

// Files of a folder and those below it, without installed packages.
std::vector<fs::path> sources_below(std::string_view top)
{
    std::vector<fs::path> found;
    fs::recursive_directory_iterator entry(source_dir() / top);
    for (; entry != fs::recursive_directory_iterator(); ++entry) {
        if (entry->path().filename() == "node_modules") entry.disable_recursion_pending();
        if (entry->is_regular_file() && is_source(entry->path())) found.push_back(entry->path());
    }
    return found;
}

std::string path_in_tree(const fs::path& path)
{
    return fs::relative(path, source_dir()).generic_string();
}

// The folder that an #include (from the root of the tree) or an import (relative) of `file` names. An import
// may name a folder, whose index is meant.
std::string named_folder(const fs::path& file, const std::string& name)
{
    if (!name.starts_with('.')) return fs::path(name).parent_path().generic_string();
    const auto path = (file.parent_path() / name).lexically_normal();
    return path_in_tree(fs::is_directory(path) ? path : path.parent_path());
}

// Folder -> folder of the same top that it needs -> an example.
using FolderGraph = std::map<std::string, std::map<std::string, std::string>>;

// What the #include or import of a line names; empty if it has none.
std::string reference_in(const std::string& line)
{
    static const std::regex reference(
        R"re(^\s*#\s*include\s*"([^"]+)"|\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["'])re");
    const auto has = [&](std::string_view word) { return line.find(word) != line.npos; };
    std::smatch match;
    if (!(has("include") || has("from") || has("import")) || !std::regex_search(line, match, reference))
        return {};
    return match[1].matched ? match[1].str() : match[2].str();
}

FolderGraph graph_below(std::string_view top)
{
    FolderGraph graph;
    for (const auto& file : sources_below(top)) {
        const auto folder = path_in_tree(file.parent_path());
        std::ifstream in(file);
        for (std::string line; std::getline(in, line);) {
            const auto name = reference_in(line);
            if (name.empty()) continue;
            const auto other = named_folder(file, name);
            if (other.starts_with(top) && other != folder)
                graph[folder].emplace(other, fmt::format("{} names {}", path_in_tree(file), name));
        }
    }
    return graph;
}

// The way from a folder back to itself, an example for each step; empty if there is none.
std::vector<std::string> find_circle(const FolderGraph& graph, const std::string& start)
{
    std::set<std::string> seen;
    std::vector<std::pair<std::string, std::vector<std::string>>> pending{{start, {}}};
    while (!pending.empty()) {
        const auto [folder, steps] = pending.back();
        pending.pop_back();
        const auto uses = graph.find(folder);
        if (uses == graph.end()) continue;
        for (const auto& [other, example] : uses->second) {
            auto further = steps;
            further.push_back(example);
            if (other == start) return further;
            if (seen.insert(other).second) pending.emplace_back(other, std::move(further));
        }
    }
    return {};
}

} // namespace

TEST(Circles, AreFoundOverSeveralFolders)
{
    const FolderGraph graph{
        {"a", {{"b", "a to b"}}}, {"b", {{"c", "b to c"}, {"d", "b to d"}}}, {"c", {{"a", "c to a"}}}};
    EXPECT_EQ(find_circle(graph, "a"), (std::vector<std::string>{"a to b", "b to c", "c to a"}));
    EXPECT_TRUE(find_circle(graph, "d").empty());
}

TEST(Circles, ThereIsNoneInTheWebClientAndTheTests)
{
    for (const auto top : tops) {
        const auto graph = graph_below(top);
        EXPECT_GE(graph.size(), 5u) << top << ": the references are not read";
        for (const auto& [folder, uses] : graph)
            for (const auto& step : find_circle(graph, folder))
                ADD_FAILURE() << "circle of " << folder << ": " << step;
    }
}

TEST(Circles, FoldersOfTheWebClientAndTheTestsHoldAFewFiles)
{
    for (const auto top : tops) {
        std::map<std::string, std::size_t> sizes;
        for (const auto& file : sources_below(top))
            ++sizes[path_in_tree(file.parent_path())];
        for (const auto& [folder, size] : sizes)
            EXPECT_LE(size, max_sources_per_folder) << folder;
    }
}

} // namespace vitrine::test
