#pragma once
// Writes a mesh as objects of a 3DS file. Internal to loaders/export.

#include <string>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Appends little-endian values to chunks.
template <class T>
void put(std::string& out, const T& value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
std::string threeds_chunk(std::uint16_t id, const std::string& content);
// Converts Y up to 3D Studio's Z up.
glm::vec3 to_3ds(const glm::vec3& scene);

struct ThreedsObject {
    std::string name;
    std::string chunk;
};

// Returns objects named `name`, `name_2`, ... of at most 65,535 points and faces each. `positions` are in
// world space, as stored; `world` is the mesh's matrix there. `material_names` by material.
std::vector<ThreedsObject> write_3ds_mesh(const scene::Mesh& mesh, const std::string& name,
                                          const std::vector<glm::vec3>& positions, const glm::mat4& world,
                                          const std::vector<std::string>& material_names);

} // namespace vitrine::exporting
