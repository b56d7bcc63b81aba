#pragma once

#include <string>

#include <gtest/gtest.h>

#include "loaders/obj/obj.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/tga.hpp"

namespace vitrine::test {

using Files = std::map<std::string, std::string>;

inline LoadResult<scene::Scene> try_obj(const std::string& text, Files others = {}, const Limits& limits = {})
{
    others["part.obj"] = text;
    MemorySource source("part.obj", std::move(others));
    return load_obj(source, limits);
}

inline scene::Scene load_text(const std::string& text, Files others = {})
{
    return valid(try_obj(text, std::move(others)));
}

// The corners of the mesh's triangles as positions.
inline std::vector<glm::vec3> triangles(const scene::Mesh& mesh)
{
    std::vector<glm::vec3> corners;
    for (const std::uint32_t index : mesh.indices)
        corners.push_back(mesh.positions.at(index));
    return corners;
}

// Returns the position of a vertex in double precision.
inline glm::dvec3 place(const scene::Scene& scene, std::size_t vertex, std::size_t node = 0)
{
    return glm::dvec3(scene.nodes.at(node).local.translation) +
           glm::dvec3(scene.meshes.at(scene.nodes.at(node).mesh).positions.at(vertex));
}

inline const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

} // namespace vitrine::test
