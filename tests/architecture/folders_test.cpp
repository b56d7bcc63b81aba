// Borders between source folders. cmake/folders.cmake has a row for each folder; CMake links by it and these
// tests hold the sources to it. Sources are read as text.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tests/architecture/file_text.hpp"
#include "tests/support/paths.hpp"

namespace fs = std::filesystem;

namespace {

constexpr std::size_t max_files_per_folder = 40;

struct FolderRow {
    std::string path;
    std::set<std::string> uses;
};

// `vitrine_folder(PATH USES folders... PACKAGES targets...)`, in the order of the file.
std::vector<FolderRow> read_rows()
{
    const auto text = vitrine::test::text_of(vitrine::test::source_dir() / "cmake" / "folders.cmake");
    static const std::regex row(R"(\nvitrine_folder\(([^)]*)\))");
    std::vector<FolderRow> rows;
    for (std::sregex_iterator match(text.begin(), text.end(), row), end; match != end; ++match) {
        std::istringstream words((*match)[1].str());
        FolderRow read;
        words >> read.path;
        bool in_uses = false;
        for (std::string word; words >> word;) {
            if (word == "USES" || word == "PACKAGES")
                in_uses = word == "USES";
            else if (in_uses)
                read.uses.insert(word);
        }
        rows.push_back(std::move(read));
    }
    return rows;
}

const std::map<std::string, FolderRow>& rows()
{
    static const auto by_path = [] {
        std::map<std::string, FolderRow> map;
        for (auto& row : read_rows())
            map.emplace(row.path, row);
        return map;
    }();
    return by_path;
}

std::vector<fs::path> sources()
{
    std::vector<fs::path> found;
    for (const auto* top : {"loaders", "vk_renderer", "api", "clients", "server"})
        for (const auto& entry : fs::recursive_directory_iterator(vitrine::test::source_dir() / top)) {
            const auto extension = entry.path().extension();
            if (entry.is_regular_file() && (extension == ".hpp" || extension == ".cpp" || extension == ".h"))
                found.push_back(entry.path());
        }
    return found;
}

std::string relative_path(const fs::path& path)
{
    return fs::relative(path, vitrine::test::source_dir()).generic_string();
}

std::string folder_of(const std::string& file)
{
    return fs::path(file).parent_path().generic_string();
}

struct Include {
    bool quoted = false;
    std::string path;
};

std::vector<Include> includes_of(const fs::path& path)
{
    static const std::regex directive(R"re(^\s*#\s*include\s*(["<])([^">]+)[">])re");
    std::vector<Include> found;
    std::ifstream in(path);
    std::smatch match;
    for (std::string line; std::getline(in, line);)
        if (std::regex_search(line, match, directive)) found.push_back({match[1] == "\"", match[2]});
    return found;
}

// Folders of this tree that the sources of each folder include, with an example of each.
std::map<std::string, std::map<std::string, std::string>> included_folders()
{
    std::map<std::string, std::map<std::string, std::string>> included;
    for (const auto& path : sources()) {
        const auto file = relative_path(path);
        const auto folder = folder_of(file);
        for (const auto& include : includes_of(path)) {
            const auto other = folder_of(include.path);
            const bool generated = include.path.ends_with(".inc");
            if (include.quoted && !generated && other != folder)
                included[folder].emplace(other, fmt::format("{} includes \"{}\"", file, include.path));
        }
    }
    return included;
}

// Headers from outside the tree that files below a path never include. The first row whose path fits counts.
struct ForbiddenHeaders {
    std::string_view path;
    std::string_view pattern;
};

constexpr ForbiddenHeaders forbidden_headers[]{
    // Writes sentences with fmt.
    {"loaders/scene/checks/", R"(boost/.*|vulkan/.*|volk\.h|fstream|filesystem|sys/.*|netinet/.*|curl/.*)"},
    {"loaders/scene/", R"([a-z_]+/(?!ext|gt[cx]).*\.h$|fstream|boost/.*|vulkan/.*)"},
    {"loaders/worker/", R"(boost/.*|vulkan/.*|volk\.h)"},
    // Requests large pages.
    {"loaders/io/huge_pages.cpp",
     R"(boost/.*|vulkan/.*|volk\.h|fstream|filesystem|sys/(?!mman\.h).*|netinet/.*|curl/.*)"},
    // Reads the random bytes that the kernel passes to each process.
    {"loaders/io/string_hash.cpp",
     R"(boost/.*|vulkan/.*|volk\.h|fstream|filesystem|sys/(?!auxv\.h).*|netinet/.*|curl/.*)"},
    // File modes of zip entries; writes a generated source at build time.
    {"loaders/io/archive/unzip.cpp", R"(boost/.*|vulkan/.*|volk\.h|fstream|filesystem|netinet/.*|curl/.*)"},
    {"loaders/io/text/make_encoding_tables.cpp", R"(boost/.*|vulkan/.*|volk\.h|sys/.*|netinet/.*|curl/.*)"},
    {"loaders/", R"(boost/.*|vulkan/.*|volk\.h|fstream|filesystem|sys/.*|netinet/.*|curl/.*)"},
    {"vk_renderer/", R"(boost/.*|simdjson.*|pugixml.*|curl/.*|sys/socket\.h)"},
    {"api/", R"(boost/(asio|beast)/.*|vulkan/.*|volk\.h|fstream)"},
    {"clients/", R"(boost/(asio|beast)/.*|vulkan/.*|volk\.h|fstream)"},
    {"server/services/", R"(boost/beast/.*|vulkan/.*|volk\.h)"},
    {"server/", R"(vulkan/.*|volk\.h)"},
};

std::string_view forbidden_in(const std::string& file)
{
    for (const auto& row : forbidden_headers)
        if (file.starts_with(row.path)) return row.pattern;
    return {};
}

} // namespace

TEST(Folders, EachFolderHasARow)
{
    std::set<std::string> folders;
    for (const auto& path : sources())
        folders.insert(folder_of(relative_path(path)));
    for (const auto& folder : folders)
        EXPECT_TRUE(rows().contains(folder)) << folder << " has no row in cmake/folders.cmake";
    for (const auto& [path, row] : rows())
        EXPECT_TRUE(folders.contains(path))
            << "cmake/folders.cmake has a row for " << path << ", which holds no source";
    EXPECT_EQ(read_rows().size(), rows().size()) << "cmake/folders.cmake has two rows for one folder";
}

TEST(Folders, IncludeWhatTheirRowAllows)
{
    for (const auto& [folder, others] : included_folders()) {
        const auto row = rows().find(folder);
        if (row == rows().end()) continue;
        for (const auto& [other, example] : others)
            EXPECT_TRUE(row->second.uses.contains(other))
                << example << ", which the row of " << folder << " does not allow";
    }
}

TEST(Folders, RowsAllowNothingUnused)
{
    auto included = included_folders();
    for (const auto& [path, row] : rows())
        for (const auto& used : row.uses)
            EXPECT_TRUE(included[path].contains(used)) << "no source of " << path << " includes " << used;
}

// A row names only folders of rows before it: there can be no circle.
TEST(Folders, RowsStandBehindTheRowsTheyUse)
{
    std::set<std::string> before;
    for (const auto& row : read_rows()) {
        for (const auto& used : row.uses)
            EXPECT_TRUE(before.contains(used))
                << row.path << " uses " << used << ", which has no row before it";
        before.insert(row.path);
    }
    EXPECT_GT(before.size(), 50u);
}

// The first column of ARCHITECTURE.md's table of folders: the same folders in the same order.
TEST(Folders, AreTheTableOfArchitecture)
{
    const auto text = vitrine::test::text_of(vitrine::test::source_dir() / "ARCHITECTURE.md");
    constexpr std::string_view heading = "| folder | content |\n|---|---|\n";
    const auto begin = text.find(heading);
    ASSERT_NE(begin, text.npos);
    std::istringstream lines(text.substr(begin + heading.size()));
    static const std::regex first_column(R"(\| `([^`]+)` \|.*)");
    std::vector<std::string> listed;
    std::smatch match;
    for (std::string line; std::getline(lines, line) && std::regex_match(line, match, first_column);)
        listed.push_back(match[1]);
    std::vector<std::string> declared;
    for (const auto& row : read_rows())
        declared.push_back(row.path);
    EXPECT_EQ(listed, declared) << "run: node loaders/formats.mjs --write";
}

TEST(Folders, HoldAFewFiles)
{
    std::map<std::string, std::size_t> sizes;
    for (const auto& path : sources())
        ++sizes[folder_of(relative_path(path))];
    for (const auto& [folder, size] : sizes)
        EXPECT_LE(size, max_files_per_folder) << folder;
}

TEST(Folders, IncludeNoForbiddenHeader)
{
    for (const auto& path : sources()) {
        const auto file = relative_path(path);
        const auto pattern = forbidden_in(file);
        ASSERT_FALSE(pattern.empty()) << file;
        const std::regex forbidden{std::string(pattern)};
        for (const auto& include : includes_of(path))
            if (!include.quoted)
                EXPECT_FALSE(std::regex_match(include.path, forbidden))
                    << file << " includes <" << include.path << ">";
    }
}

TEST(Folders, SocketsStayInServerAndLoaderProcess)
{
    const std::regex sockets(R"((boost/(asio|beast)|curl/|sys/socket\.h|netinet/).*)");
    for (const auto& path : sources()) {
        const auto file = relative_path(path);
        if (file.starts_with("server/") || file.starts_with("loaders/worker/")) continue;
        for (const auto& include : includes_of(path))
            EXPECT_FALSE(std::regex_match(include.path, sockets)) << file << " includes " << include.path;
    }
}

TEST(Folders, HeadersAreGuardedAndModulesHaveReadmes)
{
    for (const auto& path : sources()) {
        if (path.extension() != ".hpp") continue;
        std::ifstream in(path);
        std::string first;
        std::getline(in, first);
        EXPECT_EQ(first, "#pragma once") << path;
    }
    std::vector<fs::path> modules;
    for (const auto* folder : {"vk_renderer", "api", "clients", "server", "server/services", "server/cli"})
        modules.push_back(vitrine::test::source_dir() / folder);
    for (const auto& entry : fs::directory_iterator(vitrine::test::source_dir() / "loaders"))
        if (entry.is_directory() && entry.path().filename() != "base") modules.push_back(entry.path());
    for (const auto& module : modules)
        EXPECT_TRUE(fs::exists(module / "README.md")) << module;
}
