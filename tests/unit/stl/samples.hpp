#pragma once
// Small STL files with manually computable values.

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <glm/glm.hpp>
#include <gtest/gtest.h>

#include "loaders/stl/stl.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::test {

// A square of 1000 x 1000 mm in the plane z = 0 of the file, facing +Z.
inline const std::string square_stl = R"(solid My square
  facet normal 0 0 1
    outer loop
      vertex 0 0 0
      vertex 1000 0 0
      vertex 1000 1000 0
    endloop
  endfacet
  facet normal 0 0 1
    outer loop
      vertex 0 0 0
      vertex 1000 1000 0
      vertex 0 1000.0 -0
    endloop
  endfacet
endsolid My square
)";

struct BinaryFacet {
    std::array<glm::vec3, 3> corners{};
    std::uint16_t attribute = 0;
    glm::vec3 normal{0, 0, 1};
};

inline const std::array<glm::vec3, 3> lower_half{glm::vec3(0), {1000, 0, 0}, {1000, 1000, 0}};
inline const std::array<glm::vec3, 3> upper_half{glm::vec3(0), {1000, 1000, 0}, {0, 1000, 0}};

inline std::string binary_stl(const std::vector<BinaryFacet>& facets, std::string header = "made by hand")
{
    header.resize(80, '\0');
    const auto put = [&](const auto& value) {
        header.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    put(static_cast<std::uint32_t>(facets.size()));
    for (const BinaryFacet& facet : facets) {
        put(facet.normal);
        put(facet.corners);
        put(facet.attribute);
    }
    return header;
}

inline LoadResult<scene::Scene> try_stl(const std::string& bytes, const Limits& limits = {})
{
    MemorySource source("part.stl", {{"part.stl", bytes}});
    return load_stl(source, limits);
}

inline scene::Scene load_stl_bytes(const std::string& bytes)
{
    return valid(try_stl(bytes));
}

// With shared vertices and without normals.
inline scene::Scene load_flat_stl(const std::string& bytes)
{
    MemorySource source("part.stl", {{"part.stl", bytes}});
    auto loaded = load_stl_with_flat_meshes(source, {});
    EXPECT_TRUE(loaded) << error_text(loaded);
    if (!loaded) return {};
    EXPECT_TRUE(scene::validate(*loaded, scene::FlatMeshes::allowed));
    return *std::move(loaded);
}

} // namespace vitrine::test
