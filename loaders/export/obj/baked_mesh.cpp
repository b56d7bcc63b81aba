#include "loaders/export/obj/baked_mesh.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/skinning/skinning.hpp"

namespace vitrine {
namespace {

using scene::none;

// Transforms from scene space to the chosen space. Double precision: a unit of 0.01 must not lose digits.
class FilePlacement {
public:
    FilePlacement(const scene::FileSpace& file, BakeSpace space)
    {
        if (space == BakeSpace::scene) return;
        axes_ = glm::transpose(glm::dmat3(file.axes)); // a signed permutation: the transpose is its inverse
        unit_meters_ = file.unit_meters;
        mirrors_ = glm::determinant(axes_) < 0.0;
    }

    glm::dvec3 place(const glm::dvec3& p) const { return axes_ * p / unit_meters_; }
    glm::vec3 position(glm::vec3 p) const { return glm::vec3(place(p)); }
    glm::vec3 normal(glm::vec3 n) const { return glm::vec3(axes_ * glm::dvec3(n)); }
    bool mirrors() const { return mirrors_; }

private:
    glm::dmat3 axes_{1.0};
    double unit_meters_ = 1.0;
    bool mirrors_ = false;
};

class MeshBaker {
public:
    MeshBaker(const scene::Scene& scene, const glm::dvec3& origin, BakeSpace space, bool with_colors)
        : scene_(scene), placement_(scene.file_space, space), with_colors_(with_colors)
    {
        out_.origin = placement_.place(origin);
    }

    void add(const scene::Mesh& mesh, const scene::Instance& instance, const scene::SkinnedMesh& skinned,
             std::span<const scene::PaletteEntry> palette);
    BakedMesh take();

private:
    std::uint32_t vertex(const scene::Mesh& mesh, const scene::Instance& instance,
                         const scene::SkinnedMesh& skinned, std::uint32_t index);
    std::vector<std::uint32_t>& list_of(scene::Topology topology);
    void turn_fronts(const scene::Mesh& mesh, const scene::Instance& instance,
                     std::span<const std::uint32_t> corners, std::span<const scene::PaletteEntry> palette);
    const std::string& name_of(const scene::Instance& instance) const;

    const scene::Scene& scene_;
    FilePlacement placement_;
    std::vector<std::uint32_t> baked_of_; // by vertex of the current mesh
    bool with_colors_, any_uvs_ = false;
    BakedMesh out_;
};

void MeshBaker::add(const scene::Mesh& mesh, const scene::Instance& instance,
                    const scene::SkinnedMesh& skinned, std::span<const scene::PaletteEntry> palette)
{
    const BakedPart before{{}, out_.triangles.size(), out_.lines.size(), out_.points.size()};
    baked_of_.assign(mesh.positions.size(), none);
    any_uvs_ = any_uvs_ || !mesh.uv0.empty();
    for (const auto& primitive : mesh.primitives) {
        auto& list = list_of(primitive.topology);
        const auto corners = std::span(mesh.indices).subspan(primitive.first, primitive.count);
        for (const auto corner : corners)
            list.push_back(vertex(mesh, instance, skinned, corner));
        if (primitive.topology == scene::Topology::triangles) turn_fronts(mesh, instance, corners, palette);
    }
    out_.parts.push_back({name_of(instance), out_.triangles.size() - before.triangles,
                          out_.lines.size() - before.lines, out_.points.size() - before.points});
}

std::uint32_t MeshBaker::vertex(const scene::Mesh& mesh, const scene::Instance& instance,
                                const scene::SkinnedMesh& skinned, std::uint32_t index)
{
    auto& baked = baked_of_[index];
    if (baked != none) return baked;
    baked = static_cast<std::uint32_t>(out_.positions.size());
    out_.positions.push_back(placement_.position(skinned.positions[index]));
    out_.normals.push_back(placement_.normal(skinned.normals[index]));
    out_.uvs.push_back(mesh.uv0.empty() ? glm::vec2(0.0f) : mesh.uv0[index]);
    const auto& color = scene_.nodes[instance.node].color;
    if (with_colors_) out_.colors.push_back(mesh.colors.empty() ? color : color * mesh.colors[index]);
    return baked;
}

// Reverses the triangles added last, with these corners, when the pose or the space mirrors.
void MeshBaker::turn_fronts(const scene::Mesh& mesh, const scene::Instance& instance,
                            std::span<const std::uint32_t> corners,
                            std::span<const scene::PaletteEntry> palette)
{
    const auto added = std::span(out_.triangles).last(corners.size());
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
        const bool mirrored =
            scene::mirrors(palette[scene::first_influence_entry(instance, mesh, corners[i])]);
        if (mirrored != placement_.mirrors()) std::swap(added[i + 1], added[i + 2]);
    }
}

std::vector<std::uint32_t>& MeshBaker::list_of(scene::Topology topology)
{
    switch (topology) {
    case scene::Topology::lines: return out_.lines;
    case scene::Topology::points: return out_.points;
    default: return out_.triangles;
    }
}

const std::string& MeshBaker::name_of(const scene::Instance& instance) const
{
    const auto& node = scene_.nodes[scene::file_node(scene_, instance.node)].name;
    return node.empty() ? scene_.meshes[instance.mesh].name : node;
}

BakedMesh MeshBaker::take()
{
    if (!any_uvs_) out_.uvs.clear();
    return std::move(out_);
}

bool has_colors(const scene::Scene& scene, const std::vector<scene::Instance>& instances)
{
    return std::ranges::any_of(instances, [&](const scene::Instance& instance) {
        return !scene.meshes[instance.mesh].colors.empty() ||
               scene.nodes[instance.node].color != glm::vec4(1.0f);
    });
}

bool too_large(const scene::Scene& scene, const std::vector<scene::Instance>& instances)
{
    std::uint64_t vertices = 0, indices = 0;
    for (const auto& instance : instances) {
        vertices += scene::shaded_vertices(scene.meshes[instance.mesh]);
        for (const auto& primitive : scene.meshes[instance.mesh].primitives)
            indices += primitive.count;
        if (vertices > baked_vertices_limit || indices > 3 * baked_vertices_limit) return true;
    }
    return false;
}

} // namespace

LoadResult<BakedMesh> bake_mesh(const scene::Scene& scene, const scene::Pose& pose, BakeSpace space)
{
    if (!scene::draws_anything(scene)) return fail(LoadErrc::empty, {}, "the scene has no visible mesh");
    const auto instances = scene::find_instances(scene);
    if (too_large(scene, instances))
        return fail(LoadErrc::limit_exceeded, {},
                    "the drawn meshes have more vertices than the limit of " +
                        std::to_string(baked_vertices_limit));
    std::vector<scene::PaletteEntry> palette(scene::palette_size(instances));
    scene::joint_palette(scene, instances, pose, palette);
    MeshBaker baker(scene, pose.origin, space, has_colors(scene, instances));
    scene::SkinnedMesh skinned;
    for (const auto& instance : instances) {
        const auto& mesh = scene.meshes[instance.mesh];
        const auto shaded = scene::is_flat(mesh) ? std::optional(scene::expanded(mesh)) : std::nullopt;
        const auto& baked = shaded ? *shaded : mesh;
        scene::skin_instance(scene, baked, instance, pose, palette, skinned);
        baker.add(baked, instance, skinned, palette);
    }
    return baker.take();
}

} // namespace vitrine
