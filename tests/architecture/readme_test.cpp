// Compares READMEs with the sources: tables of warnings and problems, names of files. Reads both as text.

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/architecture/file_text.hpp"
#include "tests/support/paths.hpp"

namespace fs = std::filesystem;

namespace {

using Codes = std::set<std::string, std::less<>>;

std::string sources_of(const fs::path& folder)
{
    std::string text;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (const auto kind = entry.path().extension(); kind == ".cpp" || kind == ".hpp")
            text += vitrine::test::text_of(entry.path());
    return text;
}

// "found_elsewhere": words of small letters with '_' between them.
bool is_code(std::string_view word)
{
    return word.contains('_') && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == word.npos;
}

// Whether what ends there is the beginning of a call by which loaders warn.
bool warns(std::string_view before)
{
    auto end = before.find_last_not_of(" \n");
    if (end != before.npos && before[end] == '{') end = before.find_last_not_of(" \n", end - 1);
    if (end == before.npos || before[end] != '(') return false;
    constexpr std::array<std::string_view, 5> calls{"add", "keep", "push_back", "wants", "warn"};
    return std::ranges::any_of(calls, [&](auto call) { return before.substr(0, end).ends_with(call); });
}

// Whether what ends there is a problem up to its code: `problem(404, `, `Errc::busy, `, `.code = `.
bool rejects(std::string_view before)
{
    before = before.substr(0, before.find_last_not_of(" \n") + 1);
    if (before.ends_with(".code =")) return true;
    if (!before.ends_with(',')) return false;
    before.remove_suffix(1);
    const auto word = before.find_last_of("(: \n") + 1;
    const auto preceding = before.substr(0, word);
    return preceding.ends_with("Errc::") || preceding.ends_with("problem(");
}

// Codes that stand between two `quote`s.
template <class Predicate>
Codes codes_in(std::string_view text, char quote, Predicate counts)
{
    Codes codes;
    for (auto at = text.find(quote); at != text.npos;) {
        const auto end = text.find(quote, at + 1);
        if (end == text.npos) break;
        const auto word = text.substr(at + 1, end - at - 1);
        const bool found = is_code(word);
        if (found && counts(text.substr(0, at))) codes.emplace(word);
        at = found ? text.find(quote, end + 1) : end;
    }
    return codes;
}

// Adds the words of a text that can be codes.
void collect_words(std::string_view text, Codes& words)
{
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    while (!text.empty()) {
        const auto begin = std::min(text.find_first_of(letters), text.size());
        const auto end = std::min(text.find_first_not_of(letters, begin), text.size());
        const auto word = text.substr(begin, end - begin);
        if (is_code(word)) words.emplace(word);
        text.remove_prefix(end);
    }
}

std::string_view table_below(std::string_view heading, std::string_view readme)
{
    const auto place = readme.find(heading);
    if (place == readme.npos) return {};
    const auto begin = readme.find('|', place);
    return readme.substr(begin, readme.find("\n\n", begin) - begin);
}

// Paths from the repository root in '`', as far as a blank or a pattern: "server/net/http.cpp".
Codes paths_in(std::string_view text)
{
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
    constexpr std::array<std::string_view, 10> roots{"api/",         "cmake/",     "docker/", "docs/",
                                                     "loaders/",     "script/",    "server/", "tests/",
                                                     "vk_renderer/", "web_client/"};
    Codes paths;
    for (auto at = text.find('`'); at != text.npos; at = text.find('`', at + 1)) {
        auto path = text.substr(at + 1);
        path = path.substr(0, path.find_first_not_of(letters));
        const auto end = text.substr(at + 1 + path.size());
        const bool is_pattern = !end.starts_with('`') && !end.starts_with(' ');
        if (!is_pattern && std::ranges::any_of(roots, [&](auto root) { return path.starts_with(root); }))
            paths.emplace(path);
    }
    return paths;
}

// Also without the extension of a source: "server/preview/client_messages".
bool path_exists(const fs::path& path)
{
    const auto with = [&](const char* extension) { return fs::exists(path.string() + extension); };
    return fs::exists(path) || with(".hpp") || with(".cpp");
}

bool any(std::string_view)
{
    return true;
}

} // namespace

TEST(Readme, ListsExactlyTheWarningsOfItsLoader)
{
    const auto loaders = vitrine::test::source_dir() / "loaders";
    const auto all = sources_of(loaders);
    for (const auto& entry : fs::directory_iterator(loaders)) {
        const auto readme = vitrine::test::text_of(entry.path() / "README.md");
        const auto listed = codes_in(table_below("## Warnings", readme), '`', any);
        if (listed.empty()) continue;
        for (const auto& code : codes_in(sources_of(entry.path()), '"', warns))
            EXPECT_TRUE(listed.contains(code)) << entry.path() << " has no row for the warning " << code;
        for (const auto& code : listed)
            EXPECT_TRUE(all.contains('"' + code + '"'))
                << entry.path() << " lists the unknown warning " << code;
    }
}

// A warning that no test names can be given for the wrong reason, or never.
TEST(Readme, EachWarningIsNamedInATest)
{
    const auto root = vitrine::test::source_dir();
    Codes words;
    for (const auto* kind : {"corpus", "integration", "robustness", "unit"})
        collect_words(sources_of(root / "tests" / kind), words);
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(root / "loaders"))
        for (const auto& code : codes_in(
                 table_below("## Warnings", vitrine::test::text_of(entry.path() / "README.md")), '`', any)) {
            ++count;
            EXPECT_TRUE(words.contains(code))
                << "no test names the warning " << code << " of " << entry.path();
        }
    EXPECT_GT(count, 180u);
}

TEST(Readme, ListsExactlyTheProblemsOfTheServer)
{
    const auto root = vitrine::test::source_dir();
    const auto server = sources_of(root / "server");
    const auto readme = vitrine::test::text_of(root / "api" / "README.md");
    const auto listed = codes_in(table_below("## Codes of problems", readme), '`', any);
    const auto given = codes_in(server, '"', rejects);
    EXPECT_GT(given.size(), 40u);
    for (const auto& code : given)
        EXPECT_TRUE(listed.contains(code)) << "api/README.md has no row for the problem " << code;
    for (const auto& code : listed)
        EXPECT_TRUE(server.contains('"' + code + '"')) << "api/README.md lists the unknown problem " << code;
}

TEST(Readme, NamesExistingPaths)
{
    const auto root = vitrine::test::source_dir();
    std::vector<fs::path> documents{root / "README.md", root / "ARCHITECTURE.md",
                                    root / "web_client" / "README.md"};
    for (const auto* folder : {"api", "docker", "docs", "loaders", "server", "tests", "vk_renderer"})
        for (auto entry = fs::recursive_directory_iterator(root / folder); entry != fs::end(entry); ++entry) {
            if (entry->path().filename() == "node_modules") entry.disable_recursion_pending();
            if (entry->path().filename() == "README.md") documents.push_back(entry->path());
        }
    std::size_t count = 0;
    for (const auto& document : documents)
        for (const auto& path : paths_in(vitrine::test::text_of(document))) {
            ++count;
            EXPECT_TRUE(path_exists(root / path)) << document << " names the missing path " << path;
        }
    EXPECT_GT(count, 80u);
}
