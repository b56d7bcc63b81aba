#include "loaders/io/system_files.hpp"

#include <algorithm>
#include <array>

#include "loaders/base/ascii.hpp"

namespace vitrine::io {
namespace {

constexpr std::array<std::string_view, 5> folders{"__macosx", ".git", ".svn", ".hg", "@eadir"};
constexpr std::array<std::string_view, 5> files{".ds_store", "thumbs.db", "ehthumbs.db", "desktop.ini",
                                                ".localized"};

template <std::size_t count>
bool contains(const std::array<std::string_view, count>& names, std::string_view part)
{
    return std::ranges::any_of(names,
                               [&](std::string_view name) { return ascii::equal_ignoring_case(name, part); });
}

} // namespace

bool is_system_file(std::string_view name)
{
    for (auto slash = name.find('/'); slash != name.npos; slash = name.find('/')) {
        if (contains(folders, name.substr(0, slash))) return true;
        name.remove_prefix(slash + 1);
    }
    // A file ".git" names the folder of a submodule.
    return name.starts_with("._") || contains(files, name) || ascii::equal_ignoring_case(name, ".git");
}

} // namespace vitrine::io
