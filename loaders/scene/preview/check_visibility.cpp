#include "loaders/scene/preview/check_visibility.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/skinning/skinning.hpp"

namespace vitrine::scene {
namespace {

// Rounding error relative to the largest coordinate. Rounding may move a corner by this much, so that corners
// on one line or point form slivers. Elements above this size count, however small: dense meshes consist of
// them.
constexpr double rounding_error_ratio = 4e-7;
constexpr std::size_t max_clips = 16;
constexpr std::size_t sample_times_per_clip = 5;
constexpr std::size_t max_vertices = 10'000'000; // over all sampled times

// Whether the length of a line or the smallest height of a triangle exceeds `min_size`; points always count.
bool is_larger(std::span<const glm::vec3> positions, std::span<const std::uint32_t> element, double min_size)
{
    const auto edge = [&](std::size_t from, std::size_t to) {
        return glm::dvec3(positions[element[to]]) - glm::dvec3(positions[element[from]]);
    };
    if (element.size() == 1) return true;
    const glm::dvec3 a = edge(0, 1);
    if (element.size() == 2) return glm::length(a) > min_size;
    const glm::dvec3 b = edge(0, 2);
    return glm::length(glm::cross(a, b)) >
           min_size * std::max({glm::length(a), glm::length(b), glm::length(edge(1, 2))});
}

// Upper bound of the rounding error for these positions.
double rounding_error_of(std::span<const glm::vec3> positions)
{
    const Aabb box = box_of(positions);
    const glm::dvec3 away(glm::max(glm::abs(box.min), glm::abs(box.max)));
    return std::max(rounding_error_ratio * std::max({away.x, away.y, away.z}), 1e-36);
}

bool has_extent(const Mesh& mesh, const Primitive& primitive, std::span<const glm::vec3> positions,
                double min_size)
{
    const auto corners = corners_of(primitive.topology);
    const auto indices = std::span(mesh.indices).subspan(primitive.first, primitive.count);
    for (std::size_t i = 0; i + corners <= indices.size(); i += corners)
        if (is_larger(positions, indices.subspan(i, corners), min_size)) return true;
    return false;
}

// Computes the transparency of surfaces. Many instances and primitives share meshes and images; each is
// examined once, on demand.
class Transparency {
public:
    explicit Transparency(const Scene& scene)
        : scene_(scene), color_alphas_(scene.meshes.size()), pixel_alphas_(scene.images.size())
    {
    }

    bool is_transparent(const Instance& instance, const Primitive& primitive)
    {
        if (primitive.material == none) return false;
        const auto& material = scene_.materials[primitive.material];
        if (material.alpha_mode == AlphaMode::opaque) return false;
        const bool masked = material.alpha_mode == AlphaMode::mask;
        const float alpha = scene_.nodes[instance.node].color.w * max_alpha(instance.mesh, material);
        return alpha < (masked ? material.alpha_cutoff : 0.5f / 255.0f);
    }

private:
    // The largest alpha anywhere on the surface if the node's color is white.
    float max_alpha(std::uint32_t mesh, const Material& material)
    {
        const float alpha = material.base_color.w * max_vertex_alpha(mesh);
        const auto image = material.base_color_texture.image;
        if (image == none || scene_.images[image].pixels.empty()) return alpha;
        return alpha * static_cast<float>(max_texel_alpha(image)) / 255.0f;
    }

    float max_vertex_alpha(std::uint32_t mesh)
    {
        auto& cached = color_alphas_[mesh];
        if (cached) return *cached;
        const auto& colors = scene_.meshes[mesh].colors;
        float largest = colors.empty() ? 1.0f : 0.0f;
        for (const auto& color : colors)
            largest = std::max(largest, color.w);
        return cached.emplace(largest);
    }

    std::uint8_t max_texel_alpha(std::uint32_t image)
    {
        auto& cached = pixel_alphas_[image];
        if (cached) return *cached;
        const auto& pixels = scene_.images[image].pixels;
        std::uint8_t largest = 0;
        for (std::size_t i = 3; i < pixels.size() && largest < 255; i += 4)
            largest = std::max(largest, pixels[i]);
        return cached.emplace(largest);
    }

    const Scene& scene_;
    std::vector<std::optional<float>> color_alphas_;        // by mesh: largest vertex alpha
    std::vector<std::optional<std::uint8_t>> pixel_alphas_; // by image: largest pixel alpha
};

class VisibilityTester {
public:
    VisibilityTester(const Scene& scene, Transparency& transparency)
        : scene_(scene), transparency_(transparency), instances_(find_instances(scene)),
          palette_(palette_size(instances_))
    {
    }

    std::size_t vertices() const
    {
        std::size_t sum = 0;
        for (const auto& instance : instances_)
            sum += scene_.meshes[instance.mesh].positions.size();
        return sum;
    }

    SceneVisibility test(const Pose& pose)
    {
        joint_palette(scene_, instances_, pose, palette_);
        auto visibility = SceneVisibility::no_area;
        for (const auto& instance : instances_) {
            const auto& mesh = scene_.meshes[instance.mesh];
            skin_positions(scene_, instance, pose, palette_, skinned_);
            const double min_size = rounding_error_of(skinned_.positions);
            for (const auto& primitive : mesh.primitives) {
                if (!has_extent(mesh, primitive, skinned_.positions, min_size)) continue;
                if (!transparency_.is_transparent(instance, primitive)) return SceneVisibility::something;
                visibility = SceneVisibility::transparent;
            }
        }
        return visibility;
    }

private:
    const Scene& scene_;
    Transparency& transparency_;
    std::vector<Instance> instances_;
    std::vector<PaletteEntry> palette_;
    SkinnedMesh skinned_;
};

bool is_regular(const glm::mat4& matrix)
{
    const glm::dmat3 m{glm::mat3(matrix)};
    const double size = glm::length(m[0]) * glm::length(m[1]) * glm::length(m[2]);
    return std::isfinite(size) && std::abs(glm::determinant(m)) > 1e-3 * size;
}

bool keeps_extent(const Scene& scene, const Instance& instance, const Pose& pose)
{
    if (!is_regular(pose.model[instance.node])) return false;
    if (instance.skin == none) return true;
    const auto& skin = scene.skins[instance.skin];
    return std::ranges::all_of(skin.joints, [&](auto joint) { return is_regular(pose.model[joint]); }) &&
           std::ranges::all_of(skin.inverse_bind, is_regular);
}

// Detects nearly every visible model without skinning: an opaque surface that no matrix collapses.
bool is_trivially_visible(const Scene& scene, const Pose& pose, Transparency& transparency)
{
    for (const auto& instance : find_instances(scene)) {
        const auto& mesh = scene.meshes[instance.mesh];
        if (!mesh.morph_targets.empty() || !keeps_extent(scene, instance, pose)) continue;
        const auto positions = mesh.frames.count > 0
                                   ? std::span(mesh.frames.positions).first(mesh.positions.size())
                                   : std::span(mesh.positions);
        const double min_size = rounding_error_of(positions);
        for (const auto& primitive : mesh.primitives)
            if (has_extent(mesh, primitive, positions, min_size) &&
                !transparency.is_transparent(instance, primitive))
                return true;
    }
    return false;
}

} // namespace

SceneVisibility check_visibility(const Scene& scene)
{
    if (!draws_anything(scene)) return SceneVisibility::no_elements;
    Pose pose;
    static_pose(scene, pose);
    Transparency transparency(scene);
    if (is_trivially_visible(scene, pose, transparency)) return SceneVisibility::something;
    VisibilityTester tester(scene, transparency);
    auto visibility = tester.test(pose);
    const auto clip_time_count = max_vertices / std::max<std::size_t>(tester.vertices(), 1);
    for (std::size_t i = 0; i < std::min(clip_time_count, max_clips * sample_times_per_clip); ++i) {
        const auto clip = static_cast<std::uint32_t>(i / sample_times_per_clip);
        if (visibility == SceneVisibility::something || clip >= scene.clips.size()) break;
        const double fraction = static_cast<double>(i % sample_times_per_clip) / (sample_times_per_clip - 1);
        sample_pose(scene, clip, fraction * scene.clips[clip].duration, pose);
        if (const auto later = tester.test(pose); later != SceneVisibility::no_area) visibility = later;
    }
    return visibility;
}

} // namespace vitrine::scene
