#include "tests/gpu/nothing.hpp"

#include <algorithm>
#include <vector>

#include "loaders/scene/bounds.hpp"
#include "tests/support/posed.hpp"

namespace vitrine::test {
namespace {

// Of the scene's size, squared for triangles: rounding makes slivers of corners that lie on one line.
constexpr double thinnest = 1e-6;

std::vector<scene::SkinnedMesh> at_rest(const scene::Scene& scene)
{
    scene::Pose pose;
    scene::rest_pose(scene, pose);
    return skinned_in(scene, pose);
}

// How much of the element lies in view, against the scene's size: points always count.
double extent_of(scene::Topology topology, std::span<const glm::vec3> positions,
                 std::span<const std::uint32_t> corners, double size)
{
    const auto at = [&](std::size_t i) { return glm::dvec3(positions[corners[i]]) / size; };
    if (topology == scene::Topology::points) return 1.0;
    if (topology == scene::Topology::lines) return glm::distance(at(0), at(1));
    return glm::length(glm::cross(at(1) - at(0), at(2) - at(0)));
}

bool covers_anything(const scene::Mesh& mesh, const scene::Primitive& primitive,
                     std::span<const glm::vec3> positions, double size)
{
    const std::uint32_t corners = primitive.topology == scene::Topology::triangles ? 3
                                  : primitive.topology == scene::Topology::lines   ? 2
                                                                                   : 1;
    const auto indices = std::span(mesh.indices).subspan(primitive.first, primitive.count);
    for (std::size_t i = 0; i + corners <= indices.size(); i += corners)
        if (extent_of(primitive.topology, positions, indices.subspan(i, corners), size) > thinnest)
            return true;
    return false;
}

// The largest alpha that the surface can have anywhere.
float largest_alpha(const scene::Scene& scene, const scene::Mesh& mesh, const scene::Material& material)
{
    float alpha = material.base_colour.w;
    float vertex = mesh.colours.empty() ? 1.0f : 0.0f;
    for (const auto& colour : mesh.colours)
        vertex = std::max(vertex, colour.w);
    const auto image = material.base_colour_texture.image;
    if (image == scene::none || scene.images[image].pixels.empty()) return alpha * vertex;
    const auto& pixels = scene.images[image].pixels;
    std::uint8_t texel = 0;
    for (std::size_t i = 3; i < pixels.size(); i += 4)
        texel = std::max(texel, pixels[i]);
    return alpha * vertex * static_cast<float>(texel) / 255.0f;
}

bool is_transparent(const scene::Scene& scene, const scene::Mesh& mesh, const scene::Primitive& primitive)
{
    if (primitive.material == scene::none) return false;
    const auto& material = scene.materials[primitive.material];
    if (material.alpha_mode == scene::AlphaMode::opaque) return false;
    const bool masked = material.alpha_mode == scene::AlphaMode::mask;
    return largest_alpha(scene, mesh, material) < (masked ? material.alpha_cutoff : 0.5f / 255.0f);
}

} // namespace

std::string reason_for_nothing(const scene::Scene& scene)
{
    if (!scene::draws_anything(scene)) return "no elements";
    const auto box = scene::rest_bounds(scene).size();
    const double size = std::max({double{box.x}, double{box.y}, double{box.z}, 1e-30});
    const auto instances = scene::find_instances(scene);
    const auto meshes = at_rest(scene);
    bool covered = false;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const auto& mesh = scene.meshes[instances[i].mesh];
        for (const auto& primitive : mesh.primitives) {
            if (!covers_anything(mesh, primitive, meshes[i].positions, size)) continue;
            if (!is_transparent(scene, mesh, primitive)) return {};
            covered = true;
        }
    }
    return covered ? "transparent" : "no area";
}

} // namespace vitrine::test
