#include <array>
#include <bit>
#include <cstdint>

#include "loaders/base/unit_vector.hpp"
#include "loaders/export/obj/mesh_files.hpp"

namespace vitrine {
namespace {

static_assert(std::endian::native == std::endian::little, "STL has little-endian values, copied from memory");

template <class T>
void append_bytes(std::string& out, const T& value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Millimeters, Z up.
glm::vec3 in_file_space(const BakedMesh& mesh, std::uint32_t index)
{
    const glm::dvec3 p = 1000.0 * (mesh.origin + glm::dvec3(mesh.positions[index]));
    return {p.x, -p.z, p.y};
}

} // namespace

std::string write_mesh_stl(const BakedMesh& mesh)
{
    std::string bytes = "Vitrine";
    bytes.resize(80, '\0');
    append_bytes(bytes, static_cast<std::uint32_t>(mesh.triangles.size() / 3));
    for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) {
        std::array<glm::vec3, 3> corners{};
        for (std::size_t c = 0; c < 3; ++c)
            corners[c] = in_file_space(mesh, mesh.triangles[i + c]);
        const glm::vec3 across = glm::cross(corners[1] - corners[0], corners[2] - corners[0]);
        append_bytes(bytes, unit_or(across, glm::vec3(0.0f)));
        append_bytes(bytes, corners);
        append_bytes(bytes, std::uint16_t{0});
    }
    return bytes;
}

} // namespace vitrine
