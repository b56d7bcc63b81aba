#pragma once
// The chunks of a 3DS file: values, meshes and materials. Internal to loaders/export.

#include <cstdint>
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
// Returns the little-endian bytes of the values.
template <class... Values>
std::string raw(const Values&... values)
{
    std::string out;
    (put(out, values), ...);
    return out;
}
// Returns the text with the zero byte that ends it.
inline std::string zero_terminated(const std::string& value)
{
    return value + '\0';
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
                                          std::span<const glm::vec3> positions, const glm::mat4& world,
                                          const std::vector<std::string>& material_names);

// Returns the chunk of a material. `texture`: file name of its base color image; empty: none.
std::string threeds_material(const scene::Material& material, const std::string& name,
                             const std::string& texture);

} // namespace vitrine::exporting
