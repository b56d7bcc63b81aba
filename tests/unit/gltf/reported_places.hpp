#pragma once
// Warnings with the places that they name.

#include "tests/unit/gltf/builder.hpp"

namespace vitrine::test {

// "code at place" of all warnings.
inline std::vector<std::string> warnings_of(const scene::Scene& scene)
{
    std::vector<std::string> out;
    for (const scene::Warning& warning : scene.warnings)
        out.push_back(warning.code + " at " + warning.where);
    return out;
}

using Warnings = std::vector<std::string>;

} // namespace vitrine::test
