#include "loaders/export/threeds/threeds_chunks.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>

#include "loaders/base/disjoint_sets.hpp"

namespace vitrine::exporting {
namespace {

constexpr std::size_t max_count = 65'535;

struct MeshFace {
    std::array<std::uint32_t, 3> corners; // vertices of the mesh
    std::uint32_t material = scene::none;
    std::uint32_t groups = 0;
};

std::vector<MeshFace> faces_of(const scene::Mesh& mesh)
{
    std::vector<MeshFace> faces;
    for (const auto& primitive : mesh.primitives) {
        if (primitive.topology != scene::Topology::triangles) continue;
        for (std::uint32_t i = primitive.first; i + 2 < primitive.first + primitive.count; i += 3)
            faces.push_back(
                {{mesh.indices[i], mesh.indices[i + 1], mesh.indices[i + 2]}, primitive.material});
    }
    return faces;
}

// Faces that share a point and its normal are smooth with each other: each such smooth surface gets one of
// the 32 groups in turn, so that adjacent ones usually differ.
void set_groups(const scene::Mesh& mesh, std::vector<MeshFace>& faces)
{
    const auto key = [&](std::uint32_t v) {
        const auto &p = mesh.positions[v], &n = mesh.normals[v];
        return std::tuple(p.x, p.y, p.z, n.x, n.y, n.z);
    };
    DisjointSets surfaces(mesh.positions.size());
    std::map<decltype(key(0)), std::uint32_t> known;
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v)
        surfaces.join(v, known.try_emplace(key(v), v).first->second);
    for (const MeshFace& face : faces)
        for (const std::uint32_t corner : face.corners)
            surfaces.join(face.corners[0], corner);
    std::unordered_map<std::uint32_t, std::uint32_t> order;
    for (MeshFace& face : faces) {
        const auto surface = surfaces.find(face.corners[0]);
        const auto rank = order.try_emplace(surface, static_cast<std::uint32_t>(order.size())).first->second;
        face.groups = 1u << rank % 32;
    }
}

std::string matrix_chunk(const glm::mat4& world)
{
    std::string out;
    for (const int column : {0, 2, 1, 3}) { // the file's y is the scene's -z
        const glm::vec3 axis(world[column]);
        put(out, to_3ds(column == 2 ? -axis : axis));
    }
    return threeds_chunk(0x4160, out);
}

// The faces from `first` on that fit into one object, and the vertices they use.
class ObjectPart {
public:
    ObjectPart(const scene::Mesh& mesh, const std::vector<MeshFace>& faces, std::size_t first) : mesh_(mesh)
    {
        for (std::size_t i = first; i < faces.size() && faces_.size() < max_count; ++i) {
            if (vertices_.size() + 3 > max_count) break;
            faces_.push_back(faces[i]);
            for (std::uint32_t& corner : faces_.back().corners) {
                const auto [known, is_new] =
                    numbers_.try_emplace(corner, static_cast<std::uint32_t>(vertices_.size()));
                if (is_new) vertices_.push_back(corner);
                corner = known->second;
            }
        }
    }
    std::size_t face_count() const { return faces_.size(); }
    std::string chunk(std::span<const glm::vec3> positions, const glm::mat4& world,
                      const std::vector<std::string>& material_names) const;

private:
    std::string faces_chunk(const std::vector<std::string>& material_names) const;

    const scene::Mesh& mesh_;
    std::vector<MeshFace> faces_; // corners as indices into `vertices_`
    std::vector<std::uint32_t> vertices_;
    std::unordered_map<std::uint32_t, std::uint32_t> numbers_;
};

std::string ObjectPart::faces_chunk(const std::vector<std::string>& material_names) const
{
    constexpr std::uint16_t all_edges = 7;
    std::string out = raw(static_cast<std::uint16_t>(faces_.size())), smoothing;
    std::map<std::uint32_t, std::vector<std::uint16_t>> by_material;
    for (std::size_t i = 0; i < faces_.size(); ++i) {
        for (const std::uint32_t corner : faces_[i].corners)
            put(out, static_cast<std::uint16_t>(corner));
        put(out, all_edges);
        put(smoothing, faces_[i].groups);
        if (faces_[i].material != scene::none)
            by_material[faces_[i].material].push_back(static_cast<std::uint16_t>(i));
    }
    for (const auto& [material, faces] : by_material) {
        std::string group =
            zero_terminated(material_names[material]) + raw(static_cast<std::uint16_t>(faces.size()));
        for (const std::uint16_t face : faces)
            put(group, face);
        out += threeds_chunk(0x4130, group);
    }
    return threeds_chunk(0x4120, out + threeds_chunk(0x4150, smoothing));
}

std::string ObjectPart::chunk(std::span<const glm::vec3> positions, const glm::mat4& world,
                              const std::vector<std::string>& material_names) const
{
    std::string points = raw(static_cast<std::uint16_t>(vertices_.size())), uvs = points;
    for (const std::uint32_t v : vertices_) {
        put(points, to_3ds(positions[v]));
        if (!mesh_.uv0.empty()) put(uvs, glm::vec2(mesh_.uv0[v].x, 1.0f - mesh_.uv0[v].y));
    }
    std::string out = threeds_chunk(0x4110, points);
    if (!mesh_.uv0.empty()) out += threeds_chunk(0x4140, uvs);
    return threeds_chunk(0x4100, out + matrix_chunk(world) + faces_chunk(material_names));
}

} // namespace

std::string threeds_chunk(std::uint16_t id, const std::string& content)
{
    std::string out;
    put(out, id);
    put(out, static_cast<std::uint32_t>(content.size() + 6));
    return out + content;
}

glm::vec3 to_3ds(const glm::vec3& scene)
{
    return {scene.x, -scene.z, scene.y};
}

std::vector<ThreedsObject> write_3ds_mesh(const scene::Mesh& mesh, const std::string& name,
                                          std::span<const glm::vec3> positions, const glm::mat4& world,
                                          const std::vector<std::string>& material_names)
{
    std::vector<MeshFace> faces = faces_of(mesh);
    set_groups(mesh, faces);
    std::vector<ThreedsObject> objects;
    for (std::size_t first = 0; first < faces.size();) {
        const ObjectPart part(mesh, faces, first);
        first += part.face_count();
        ThreedsObject object{name, {}};
        if (!objects.empty()) object.name += "_" + std::to_string(objects.size() + 1);
        object.chunk = threeds_chunk(0x4000, zero_terminated(object.name) +
                                                 part.chunk(positions, world, material_names));
        objects.push_back(std::move(object));
    }
    return objects;
}

} // namespace vitrine::exporting
