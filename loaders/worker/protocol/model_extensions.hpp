#pragma once
// Extensions of model files. An upload that names such a file but cannot be loaded fails with an error
// message.

#include <algorithm>
#include <array>
#include <string_view>

namespace vitrine::worker {

inline constexpr std::array<std::string_view, 11> model_extensions{
    ".obj", ".gltf", ".glb", ".md5mesh", ".3ds", ".md2", ".md3", ".fbx", ".dae", ".zae", ".md5anim"};

// `extension` is in lower case with the dot.
inline bool is_model_extension(std::string_view extension)
{
    return std::find(model_extensions.begin(), model_extensions.end(), extension) != model_extensions.end();
}

} // namespace vitrine::worker
