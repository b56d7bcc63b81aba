#pragma once
// Image naming conventions, for models that do not name their image.

#include <string>
#include <string_view>

namespace vitrine::quake {

// Returns how likely an image with this stem (lower case) is the color texture of a mesh: 3 named like the
// mesh, 2 named like a skin, 1 possible, 0 another kind of texture.
int name_match_score(std::string_view stem, const std::string& mesh);

} // namespace vitrine::quake
