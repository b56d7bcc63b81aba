#include "vk_renderer/pick.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "vk_renderer/scene/culling.hpp"

namespace vitrine::render {
namespace {

constexpr std::array<std::size_t, 3> corners{0, 1, 2};

// Where a ray meets a triangle: shares of the corners, and how far along the ray's direction.
struct Meeting {
    std::array<float, 3> share;
    float t;
};

// Moeller and Trumbore, "Fast, Minimum Storage Ray-Triangle Intersection" (1997), in double precision.
std::optional<Meeting> meet(const Ray& ray, glm::dvec3 a, glm::dvec3 b, glm::dvec3 c)
{
    const glm::dvec3 direction(ray.direction), ab = b - a, ac = c - a;
    const glm::dvec3 p = glm::cross(direction, ac);
    const double determinant = glm::dot(ab, p);
    if (!(std::abs(determinant) > 0.0)) return std::nullopt;
    const glm::dvec3 from = glm::dvec3(ray.origin) - a;
    const double u = glm::dot(from, p) / determinant;
    if (!(u >= 0.0 && u <= 1.0)) return std::nullopt;
    const glm::dvec3 q = glm::cross(from, ab);
    const double v = glm::dot(direction, q) / determinant;
    const double t = glm::dot(ac, q) / determinant;
    if (!(v >= 0.0 && u + v <= 1.0 && t > 0.0)) return std::nullopt;
    return Meeting{{static_cast<float>(1.0 - u - v), static_cast<float>(u), static_cast<float>(v)},
                   static_cast<float>(t)};
}

// How deep a point is that the ray passes near enough.
std::optional<float> meet_point(const Ray& ray, const PointReach& reach, glm::vec3 point)
{
    const glm::dvec3 toward = glm::dvec3(point) - glm::dvec3(ray.origin);
    const double depth = glm::dot(toward, glm::dvec3(reach.ahead));
    if (!(depth > 0.0)) return std::nullopt;
    const double beside = glm::length(toward - depth * glm::dvec3(ray.direction));
    if (!(beside <= static_cast<double>(reach.at(static_cast<float>(depth))))) return std::nullopt;
    return static_cast<float>(depth);
}

std::uint32_t wrapped(float at, std::uint32_t size, scene::Wrap wrap)
{
    float unit = at - std::floor(at);
    if (wrap == scene::Wrap::clamp) unit = std::clamp(at, 0.0f, 1.0f);
    if (wrap == scene::Wrap::mirror && std::fmod(std::abs(std::floor(at)), 2.0f) > 0.5f) unit = 1.0f - unit;
    return std::min(static_cast<std::uint32_t>(unit * static_cast<float>(size)), size - 1);
}

// Alpha of the base colour's texel; 1 where there is none.
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

glm::vec2 mixed_uv(const std::vector<glm::vec2>& uvs, std::span<const std::uint32_t> triangle,
                   const Meeting& meeting)
{
    glm::vec2 uv(0.0f);
    for (const auto i : corners)
        if (!uvs.empty()) uv += meeting.share[i] * uvs[triangle[i]];
    return uv;
}

// Whether light passes: by the material's cutoff as the picture shows it.
bool is_hole(const scene::Scene& scene, const scene::Mesh& mesh, std::uint32_t material,
             std::span<const std::uint32_t> triangle, const Meeting& meeting)
{
    if (material == scene::none) return false;
    const auto& m = scene.materials[material];
    if (m.alpha_mode != scene::AlphaMode::mask) return false;
    const auto& texture = m.base_colour_texture;
    float alpha =
        m.base_colour.w *
        texel_alpha(scene, texture, mixed_uv(texture.uv_set == 0 ? mesh.uv0 : mesh.uv1, triangle, meeting));
    if (!mesh.colours.empty()) {
        float vertex_alpha = 0.0f;
        for (const auto i : corners)
            vertex_alpha += meeting.share[i] * mesh.colours[triangle[i]].w;
        alpha *= vertex_alpha;
    }
    return alpha < m.alpha_cutoff;
}

void add_joint(const scene::Scene& scene, const scene::Instance& instance,
               std::span<const std::uint32_t> triangle, const Meeting& meeting, scene::Hit& hit)
{
    const auto& influences = scene.meshes[instance.mesh].influences;
    if (instance.skin == scene::none || influences.first.empty()) return;
    std::map<std::uint32_t, float> weights;
    for (const auto c : corners)
        for (auto i = influences.first[triangle[c]]; i < influences.first[triangle[c] + 1]; ++i)
            weights[scene.skins[instance.skin].joints[influences.joints[i]]] +=
                meeting.share[c] * influences.weights[i];
    const auto most = std::ranges::max_element(weights, {}, [](const auto& w) { return w.second; });
    if (most == weights.end()) return;
    hit.joint = most->first;
    hit.weight = most->second;
}

class Picker {
public:
    Picker(const scene::Scene& scene, std::span<const scene::PaletteEntry> palette, const Ray& ray,
           const PointReach& reach)
        : scene_(scene), palette_(palette), ray_(ray), reach_(reach)
    {
    }

    void try_instance(const scene::Instance& instance, const scene::SkinnedMesh& skinned)
    {
        const auto& mesh = scene_.meshes[instance.mesh];
        for (std::uint32_t p = 0; p < mesh.primitives.size(); ++p) {
            const auto& primitive = mesh.primitives[p];
            if (primitive.topology == scene::Topology::points)
                for (std::uint32_t i = 0; i < primitive.count; ++i)
                    try_point(instance, skinned, p, i);
            if (primitive.topology != scene::Topology::triangles || primitive.count == 0) continue;
            const bool culled = culls_backs(scene_, primitive.material);
            const float front =
                mirrors(palette_[mover_of(instance, mesh, mesh.indices[primitive.first])]) ? -1.0f : 1.0f;
            for (std::uint32_t t = 0; t < primitive.count / 3; ++t)
                try_triangle(instance, skinned, p, t, front, culled);
        }
    }

    std::optional<scene::Hit> nearest() const { return nearest_; }

private:
    // Of a front and a back in one place the front is seen, see doubled.hpp.
    bool hides_nearest(float t, bool back) const
    {
        if (!nearest_) return true;
        const float rounding = back == nearest_is_back_ ? 0.0f : 1e-6f * nearest_t_;
        return t < nearest_t_ + (back ? -rounding : rounding);
    }

    // `front`: the sign of the winding of fronts.
    void try_triangle(const scene::Instance& instance, const scene::SkinnedMesh& skinned, std::uint32_t p,
                      std::uint32_t t, float front, bool culled)
    {
        const auto& mesh = scene_.meshes[instance.mesh];
        const auto& primitive = mesh.primitives[p];
        const auto triangle = std::span(mesh.indices).subspan(primitive.first + std::size_t{3} * t, 3);
        const std::array at{skinned.positions[triangle[0]], skinned.positions[triangle[1]],
                            skinned.positions[triangle[2]]};
        const auto meeting = meet(ray_, at[0], at[1], at[2]);
        if (!meeting) return;
        const glm::vec3 faces = glm::cross(at[1] - at[0], at[2] - at[0]);
        const bool back = front * glm::dot(faces, ray_.direction) > 0.0f;
        if ((back && culled) || !hides_nearest(meeting->t, back)) return;
        if (is_hole(scene_, mesh, primitive.material, triangle, *meeting)) return;
        nearest_t_ = meeting->t;
        nearest_is_back_ = back;
        const glm::vec3 way = meeting->t * ray_.direction;
        const float size = glm::length(faces) * (glm::dot(faces, ray_.direction) > 0.0f ? -1.0f : 1.0f);
        scene::Hit hit{.node = instance.node,
                       .mesh = instance.mesh,
                       .primitive = p,
                       .triangle = t,
                       .material = primitive.material,
                       .barycentric = {meeting->share[0], meeting->share[1], meeting->share[2]},
                       .position = ray_.origin + way,
                       .normal = size != 0.0f ? faces / size : glm::vec3(0.0f),
                       .uv = mixed_uv(mesh.uv0, triangle, *meeting),
                       .distance = glm::length(way)};
        add_joint(scene_, instance, triangle, *meeting, hit);
        nearest_ = hit;
    }

    // As a triangle whose corners are one.
    void try_point(const scene::Instance& instance, const scene::SkinnedMesh& skinned, std::uint32_t p,
                   std::uint32_t number)
    {
        const auto& mesh = scene_.meshes[instance.mesh];
        const auto& primitive = mesh.primitives[p];
        const auto vertex = mesh.indices[primitive.first + number];
        const auto depth = meet_point(ray_, reach_, skinned.positions[vertex]);
        if (!depth || (nearest_ && *depth >= nearest_t_)) return;
        const std::array triangle{vertex, vertex, vertex};
        const Meeting meeting{{1.0f, 0.0f, 0.0f}, *depth};
        if (is_hole(scene_, mesh, primitive.material, triangle, meeting)) return;
        nearest_t_ = *depth;
        nearest_is_back_ = false;
        scene::Hit hit{.node = instance.node,
                       .mesh = instance.mesh,
                       .primitive = p,
                       .triangle = number,
                       .material = primitive.material,
                       .barycentric = {1.0f, 0.0f, 0.0f},
                       .position = skinned.positions[vertex],
                       .normal = -glm::normalize(ray_.direction),
                       .uv = mixed_uv(mesh.uv0, triangle, meeting),
                       .distance = glm::length(*depth * ray_.direction)};
        add_joint(scene_, instance, triangle, meeting, hit);
        nearest_ = hit;
    }

    const scene::Scene& scene_;
    std::span<const scene::PaletteEntry> palette_;
    Ray ray_;
    PointReach reach_;
    std::optional<scene::Hit> nearest_;
    float nearest_t_ = 0.0f;
    bool nearest_is_back_ = false;
};

} // namespace

Ray ray_through(const shared::FrameParams& params, std::uint32_t x, std::uint32_t y, std::uint32_t width,
                std::uint32_t height)
{
    const float clip_x = (static_cast<float>(x) + 0.5f) / static_cast<float>(width) * 2.0f - 1.0f;
    const float clip_y = (static_cast<float>(y) + 0.5f) / static_cast<float>(height) * 2.0f - 1.0f;
    const glm::vec3 across = clip_x * glm::vec3(params.ray_x) + clip_y * glm::vec3(params.ray_y);
    const glm::vec3 eye = glm::vec3(params.centre) + glm::vec3(params.eye);
    const glm::vec3 ahead(params.ray);
    const bool perspective = params.eye.w > 0.5f;
    if (perspective) return {eye, ahead + across};
    return {eye + across, ahead};
}

PointReach reach_of_points(const shared::FrameParams& params, float diameter, std::uint32_t height)
{
    const bool perspective = params.eye.w > 0.5f;
    const float pixel = 2.0f * glm::length(glm::vec3(params.ray_y)) / static_cast<float>(height);
    const float reach = 0.5f * diameter * pixel;
    return {.ahead = glm::vec3(params.ray),
            .everywhere = perspective ? 0.0f : reach,
            .each_metre = perspective ? reach : 0.0f};
}

std::optional<scene::Hit> pick(const scene::Scene& scene, std::span<const scene::Instance> instances,
                               std::span<const scene::PaletteEntry> palette,
                               std::span<const scene::SkinnedMesh> meshes, const Ray& ray,
                               const PointReach& reach)
{
    Picker picker(scene, palette, ray, reach);
    for (std::size_t i = 0; i < instances.size(); ++i)
        picker.try_instance(instances[i], meshes[i]);
    return picker.nearest();
}

} // namespace vitrine::render
