#pragma once
// Habits of naming pictures, where a model does not say which it wears.

#include <string>
#include <string_view>

namespace vitrine::quake {

// With its folder: "a/skin" of "a/skin.pcx".
std::string_view path_stem(std::string_view name);
bool is_picture(std::string_view name);

// How likely a picture of this stem (lower case) is the color of a mesh: 3 it is named like the mesh, 2 as
// skins are, 1 it may be; 0: it is none.
int name_match_score(std::string_view stem, const std::string& mesh);

} // namespace vitrine::quake
