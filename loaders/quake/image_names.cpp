#include "loaders/quake/image_names.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "loaders/base/ascii.hpp"

namespace vitrine::quake {
namespace {

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts)
{
    return std::ranges::any_of(parts, [&](std::string_view part) { return text.contains(part); });
}

// Words between underscores that mark other textures: normal, specular, height; icons of players.
bool names_other_map(std::string_view stem)
{
    constexpr std::array<std::string_view, 4> others = {"n", "s", "h", "i"};
    for (std::size_t at = stem.find('_'); at < stem.size();) {
        const std::size_t end = std::min(stem.find('_', at + 1), stem.size());
        if (std::ranges::find(others, stem.substr(at + 1, end - at - 1)) != others.end()) return true;
        at = end;
    }
    return contains_any(
        stem, {"norm", "mask", "spec", "bump", "local", "glow", "height", "rough", "metal", "gloss", "icon"});
}

} // namespace

int name_match_score(std::string_view stem, const std::string& mesh)
{
    if (names_other_map(stem)) return 0;
    if (!mesh.empty() && stem.contains(ascii::lower(mesh))) return 3;
    return contains_any(stem, {"skin", "diff", "colo", "albedo"}) ? 2 : 1;
}

} // namespace vitrine::quake
