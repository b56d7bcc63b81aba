#include "vk_renderer/picking/pick.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "loaders/scene/geometry/backface_culling.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/uv_sets.hpp"

namespace vitrine::render {
namespace {

constexpr std::array<std::size_t, 3> corners{0, 1, 2};

std::uint32_t wrapped(float at, std::uint32_t size, scene::Wrap wrap)
{
    float unit = at - std::floor(at);
    if (wrap == scene::Wrap::clamp) unit = std::clamp(at, 0.0f, 1.0f);
    if (wrap == scene::Wrap::mirror && std::fmod(std::abs(std::floor(at)), 2.0f) > 0.5f) unit = 1.0f - unit;
    return std::min(static_cast<std::uint32_t>(unit * static_cast<float>(size)), size - 1);
}

// Alpha of the base color texel; 1 without a texture.
float texel_alpha(const scene::Scene& scene, const scene::Texture& texture, glm::vec2 uv)
{
    if (texture.image == scene::none || scene.images[texture.image].pixels.empty()) return 1.0f;
    const auto& image = scene.images[texture.image];
    const float c = std::cos(texture.rotation), s = std::sin(texture.rotation);
    const glm::vec2 scaled = texture.scale * uv;
    const glm::vec2 at =
        texture.offset + glm::vec2(c * scaled.x + s * scaled.y, -s * scaled.x + c * scaled.y);
    if (!std::isfinite(at.x) || !std::isfinite(at.y)) return 1.0f;
    const std::size_t x = wrapped(at.x, image.width, texture.wrap_s);
    const std::size_t y = wrapped(at.y, image.height, texture.wrap_t);
    return static_cast<float>(image.pixels[(y * image.width + x) * 4 + 3]) / 255.0f;
}

glm::vec2 mixed_uv(std::span<const glm::vec2> uvs, std::span<const std::uint32_t> triangle,
                   const Intersection& intersection)
{
    glm::vec2 uv(0.0f);
    for (const auto i : corners)
        if (!uvs.empty()) uv += intersection.barycentric[i] * uvs[triangle[i]];
    return uv;
}

// Whether the rendered material's alpha cutoff discards the point.
bool is_hole(const scene::Scene& scene, const scene::Instance& instance, std::uint32_t material,
             std::span<const std::uint32_t> triangle, const Intersection& intersection)
{
    const auto& mesh = scene.meshes[instance.mesh];
    if (material == scene::none) return false;
    const auto& m = scene.materials[material];
    if (m.alpha_mode != scene::AlphaMode::mask) return false;
    const auto& texture = m.base_color_texture;
    float alpha =
        m.base_color.w * scene.nodes[instance.node].color.w *
        texel_alpha(scene, texture, mixed_uv(scene::uvs_of(mesh, texture.uv_set), triangle, intersection));
    if (!mesh.colors.empty()) {
        float vertex_alpha = 0.0f;
        for (const auto i : corners)
            vertex_alpha += intersection.barycentric[i] * mesh.colors[triangle[i]].w;
        alpha *= vertex_alpha;
    }
    return alpha < m.alpha_cutoff;
}

void add_joint(const scene::Scene& scene, const scene::Instance& instance,
               std::span<const std::uint32_t> triangle, const Intersection& intersection, scene::Hit& hit)
{
    const auto& influences = scene.meshes[instance.mesh].influences;
    if (instance.skin == scene::none || influences.first.empty()) return;
    std::map<std::uint32_t, float> weights;
    for (const auto c : corners)
        for (auto i = influences.first[triangle[c]]; i < influences.first[triangle[c] + 1]; ++i)
            weights[scene::file_node(scene, scene.skins[instance.skin].joints[influences.joints[i]])] +=
                intersection.barycentric[c] * influences.weights[i];
    const auto heaviest = std::ranges::max_element(weights, {}, [](const auto& w) { return w.second; });
    if (heaviest == weights.end()) return;
    hit.joint = heaviest->first;
    hit.weight = heaviest->second;
}

// The three corners of a hit primitive; for a line the last two are equal, for a point all.
struct PrimitiveHit {
    std::uint32_t primitive; // primitive of the mesh
    std::uint32_t number;    // index of the triangle, line or point in it
    std::array<std::uint32_t, 3> corners;
    Intersection intersection;
};

// The nearest hit of one ray.
class NearestHit {
public:
    NearestHit(const scene::Scene& scene, const Ray& ray) : scene_(scene), ray_(ray) {}

    // `normal`: of any length and either orientation.
    void offer(const scene::Instance& instance, const PrimitiveHit& place, bool back, glm::vec3 position,
               glm::vec3 normal)
    {
        const auto& mesh = scene_.meshes[instance.mesh];
        const auto material = mesh.primitives[place.primitive].material;
        if (!is_nearer(place.intersection.t, back)) return;
        if (is_hole(scene_, instance, material, place.corners, place.intersection)) return;
        depth_ = place.intersection.t;
        is_back_ = back;
        const float size = glm::length(normal) * (glm::dot(normal, ray_.direction) > 0.0f ? -1.0f : 1.0f);
        const auto& barycentric = place.intersection.barycentric;
        hit_ = scene::Hit{.node = instance.node,
                          .mesh = instance.mesh,
                          .primitive = place.primitive,
                          .triangle = place.number,
                          .material = material,
                          .barycentric = {barycentric[0], barycentric[1], barycentric[2]},
                          .position = position,
                          .normal = size != 0.0f ? normal / size : glm::vec3(0.0f),
                          .uv = mixed_uv(mesh.uv0, place.corners, place.intersection),
                          .distance = glm::length(depth_ * ray_.direction)};
        add_joint(scene_, instance, place.corners, place.intersection, *hit_);
    }

    const std::optional<scene::Hit>& hit() const { return hit_; }
    float depth() const { return depth_; } // of the hit, in lengths of the ray's direction

private:
    // Of coincident front and back faces the front is visible, see back_to_back.hpp.
    bool is_nearer(float depth, bool back) const
    {
        if (!hit_) return true;
        const float depth_tolerance = back == is_back_ ? 0.0f : 1e-6f * depth_;
        return depth < depth_ + (back ? -depth_tolerance : depth_tolerance);
    }

    const scene::Scene& scene_;
    Ray ray_;
    std::optional<scene::Hit> hit_;
    float depth_ = 0.0f;
    bool is_back_ = false;
};

class Picker {
public:
    explicit Picker(const PickScene& shown) : shown_(shown) {}

    std::optional<scene::Hit> pick(const Ray& ray) const
    {
        const auto lines = nearest_of(ray, true);
        if (lines.hit()) {
            // Visible unless something is in front of that point of the line; most lines are on surfaces.
            constexpr float relative_depth_tolerance = 1e-4f;
            const auto surface = nearest_surface(ray_toward(ray, shown_.lines, lines.hit()->position));
            if (!surface.hit() || lines.depth() <= surface.depth() * (1.0f + relative_depth_tolerance))
                return lines.hit();
        }
        return nearest_surface(ray).hit();
    }

private:
    NearestHit nearest_surface(const Ray& ray) const { return nearest_of(ray, false); }

    NearestHit nearest_of(const Ray& ray, bool lines) const
    {
        NearestHit nearest(shown_.scene, ray);
        for (std::size_t i = 0; i < shown_.instances.size(); ++i) {
            const auto& primitives = shown_.scene.meshes[shown_.instances[i].mesh].primitives;
            for (std::uint32_t p = 0; p < primitives.size(); ++p)
                if ((primitives[p].topology == scene::Topology::lines) == lines) offer(ray, i, p, nearest);
        }
        return nearest;
    }

    void offer(const Ray& ray, std::size_t instance, std::uint32_t p, NearestHit& nearest) const
    {
        const auto& primitive = shown_.scene.meshes[shown_.instances[instance].mesh].primitives[p];
        switch (primitive.topology) {
        case scene::Topology::triangles: offer_triangles(ray, instance, p, nearest); break;
        case scene::Topology::lines: offer_lines(ray, instance, p, nearest); break;
        case scene::Topology::points: offer_points(ray, instance, p, nearest); break;
        }
    }

    void offer_triangles(const Ray& ray, std::size_t number, std::uint32_t p, NearestHit& nearest) const
    {
        const auto& instance = shown_.instances[number];
        const auto& mesh = shown_.scene.meshes[instance.mesh];
        const auto& primitive = mesh.primitives[p];
        const auto& positions = shown_.meshes[number].positions;
        if (primitive.count == 0) return;
        const bool culled = culls_back_faces(shown_.scene, primitive.material);
        // Sign of the winding of front faces.
        const float front =
            mirrors(shown_.palette[first_influence_entry(instance, mesh, mesh.indices[primitive.first])])
                ? -1.0f
                : 1.0f;
        for (std::uint32_t t = 0; t < primitive.count / 3; ++t) {
            const auto* v = &mesh.indices[primitive.first + std::size_t{3} * t];
            const auto a = positions[v[0]], b = positions[v[1]], c = positions[v[2]];
            const auto intersection = intersect_triangle(ray, a, b, c);
            if (!intersection) continue;
            const glm::vec3 faces = glm::cross(b - a, c - a);
            const bool back = front * glm::dot(faces, ray.direction) > 0.0f;
            if (back && culled) continue;
            nearest.offer(instance, {p, t, {v[0], v[1], v[2]}, *intersection}, back,
                          ray.origin + intersection->t * ray.direction, faces);
        }
    }

    void offer_lines(const Ray& ray, std::size_t number, std::uint32_t p, NearestHit& nearest) const
    {
        const auto& instance = shown_.instances[number];
        const auto& mesh = shown_.scene.meshes[instance.mesh];
        const auto& primitive = mesh.primitives[p];
        const auto& positions = shown_.meshes[number].positions;
        for (std::uint32_t i = 0; i < primitive.count / 2; ++i) {
            const auto* v = &mesh.indices[primitive.first + std::size_t{2} * i];
            const auto a = positions[v[0]], b = positions[v[1]];
            const auto intersection = intersect_segment(ray, shown_.lines, a, b);
            if (!intersection) continue;
            nearest.offer(instance, {p, i, {v[0], v[1], v[1]}, *intersection}, false,
                          glm::mix(a, b, intersection->barycentric[1]), ray.direction);
        }
    }

    void offer_points(const Ray& ray, std::size_t number, std::uint32_t p, NearestHit& nearest) const
    {
        const auto& instance = shown_.instances[number];
        const auto& mesh = shown_.scene.meshes[instance.mesh];
        const auto& primitive = mesh.primitives[p];
        for (std::uint32_t i = 0; i < primitive.count; ++i) {
            const auto v = mesh.indices[primitive.first + i];
            const auto at = shown_.meshes[number].positions[v];
            const auto intersection = intersect_point(ray, shown_.points, at);
            if (intersection)
                nearest.offer(instance, {p, i, {v, v, v}, *intersection}, false, at, ray.direction);
        }
    }

    const PickScene& shown_;
};

} // namespace

std::optional<scene::Hit> pick(const PickScene& shown, const Ray& ray)
{
    return Picker(shown).pick(ray);
}

} // namespace vitrine::render
