// The borders between modules, as ARCHITECTURE.md draws them: who may include whom. Reads the sources as
// text.

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/paths.hpp"

namespace fs = std::filesystem;

namespace {

struct Module {
    std::string_view folder;
    std::string_view may_include; // of the project, by path from the root
    std::string_view never;       // of the outside
};

constexpr std::string_view network = R"(boost/(asio|beast)|curl/|sys/socket\.h|netinet/)";

// The first row whose folder holds the file counts.
const std::vector<Module>& modules()
{
    static const std::vector<Module> table{
        {"loaders/scene/", "loaders/scene/", R"([a-z_]+/(?!ext|gt[cx]).*\.h$|fstream|boost/.*|vulkan/.*)"},
        {"loaders/worker/", "loaders/", R"(boost/.*|vulkan/.*|volk\.h)"},
        // Asks the system for large pages, and for nothing else.
        {"loaders/io/large_memory.cpp", "loaders/io/",
         R"(boost/.*|vulkan/.*|volk\.h|fstream|filesystem|sys/(?!mman\.h).*|netinet/.*|curl/.*)"},
        // Reads the random bytes that the kernel began the process with.
        {"loaders/io/string_hash.cpp", "loaders/io/",
         R"(boost/.*|vulkan/.*|volk\.h|fstream|filesystem|sys/(?!auxv\.h).*|netinet/.*|curl/.*)"},
        {"loaders/", "loaders/",
         R"(boost/.*|vulkan/.*|volk\.h|fstream|filesystem|sys/.*|netinet/.*|curl/.*)"},
        {"vk_renderer/", "vk_renderer/|loaders/scene/|shaders/[a-z_]+[.]inc" /* generated */,
         R"(boost/.*|simdjson.*|pugixml.*|curl/.*|sys/socket\.h)"},
        {"api/", "api/|loaders/scene/", R"(boost/(asio|beast)/.*|vulkan/.*|volk\.h|fstream)"},
        {"server/services/",
         R"(server/(services|util)/|api/|loaders/scene/|loaders/export/|loaders/worker/client\.hpp|loaders/io/(input|limits|resource_name)\.hpp|vk_renderer/(best_view|renderer|view|view_words|frame)\.hpp|vk_renderer/encode/(animation|encode|sheet)\.hpp)",
         R"(boost/beast/.*|vulkan/.*|volk\.h)"},
        {"server/",
         R"(server/|api/|loaders/scene/|loaders/export/|loaders/worker/client\.hpp|loaders/io/(input|limits|resource_name)\.hpp|vk_renderer/(best_view|detail|renderer|view|view_words|frame)\.hpp|vk_renderer/encode/(animation|encode|sheet|video)\.hpp)",
         R"(vulkan/.*|volk\.h)"},
    };
    return table;
}

bool is_source(const fs::path& path)
{
    const auto extension = path.extension();
    return extension == ".hpp" || extension == ".cpp" || extension == ".h";
}

std::vector<fs::path> sources()
{
    std::vector<fs::path> found;
    for (const auto* top : {"loaders", "vk_renderer", "api", "server"})
        for (const auto& entry : fs::recursive_directory_iterator(vitrine::test::source_dir() / top))
            if (entry.is_regular_file() && is_source(entry.path())) found.push_back(entry.path());
    return found;
}

const Module* module_of(const std::string& file)
{
    for (const auto& module : modules())
        if (file.starts_with(module.folder)) return &module;
    return nullptr;
}

struct Include {
    bool of_project;
    std::string path;
};

std::vector<Include> includes_of(const fs::path& path)
{
    static const std::regex line_of_include(R"re(^\s*#\s*include\s*(["<])([^">]+)[">])re");
    std::vector<Include> found;
    std::ifstream in(path);
    std::smatch match;
    for (std::string line; std::getline(in, line);)
        if (std::regex_search(line, match, line_of_include)) found.push_back({match[1] == "\"", match[2]});
    return found;
}

std::string violation(const std::string& file, const Module& module, const Include& include)
{
    const std::regex allowed("(" + std::string(module.may_include) + ").*");
    const std::regex forbidden(std::string(module.never) + "|never_an_include");
    if (include.of_project && !std::regex_match(include.path, allowed))
        return fmt::format("{} includes \"{}\"; {} may include {}", file, include.path, module.folder,
                           module.may_include);
    if (!include.of_project && std::regex_match(include.path, forbidden))
        return fmt::format("{} includes <{}>, which {} never does", file, include.path, module.folder);
    return {};
}

} // namespace

TEST(Architecture, ModulesIncludeOnlyWhatTheyMay)
{
    std::vector<std::string> violations;
    for (const auto& path : sources()) {
        const auto file = fs::relative(path, vitrine::test::source_dir()).generic_string();
        const auto* module = module_of(file);
        ASSERT_NE(module, nullptr) << file;
        for (const auto& include : includes_of(path))
            if (auto text = violation(file, *module, include); !text.empty()) violations.push_back(text);
    }
    EXPECT_TRUE(violations.empty()) << fmt::format("{}", fmt::join(violations, "\n"));
}

TEST(Architecture, NetworkStaysInTheServersOuterParts)
{
    const std::regex sockets("(" + std::string(network) + ").*");
    for (const auto& path : sources()) {
        const auto file = fs::relative(path, vitrine::test::source_dir()).generic_string();
        if (file.starts_with("server/") || file.starts_with("loaders/worker/")) continue;
        for (const auto& include : includes_of(path))
            EXPECT_FALSE(std::regex_match(include.path, sockets)) << file << " includes " << include.path;
    }
}

TEST(Architecture, HeadersAreGuardedAndModulesExplained)
{
    for (const auto& path : sources()) {
        if (path.extension() != ".hpp") continue;
        std::ifstream in(path);
        std::string first;
        std::getline(in, first);
        EXPECT_EQ(first, "#pragma once") << path;
    }
    std::vector<fs::path> folders;
    for (const auto* folder : {"vk_renderer", "api", "server", "server/services", "server/cli"})
        folders.push_back(vitrine::test::source_dir() / folder);
    for (const auto& entry : fs::directory_iterator(vitrine::test::source_dir() / "loaders"))
        if (entry.is_directory()) folders.push_back(entry.path());
    for (const auto& folder : folders)
        EXPECT_TRUE(fs::exists(folder / "README.md")) << folder;
}
