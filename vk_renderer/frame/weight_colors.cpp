#include "vk_renderer/frame/weight_colors.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <glm/gtc/packing.hpp>

#include "loaders/scene/lookup.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "vk_renderer/base/options.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::render {
namespace {

constexpr glm::vec3 unskinned_color{0.25f, 0.25f, 0.27f};

// Linear colors at 0, 1/4, 1/2, 3/4 and 1.
constexpr std::array heat_colors{glm::vec3(0.012f, 0.02f, 0.13f), glm::vec3(0.0f, 0.22f, 0.62f),
                                 glm::vec3(0.03f, 0.5f, 0.08f), glm::vec3(0.9f, 0.55f, 0.01f),
                                 glm::vec3(0.8f, 0.02f, 0.01f)};

glm::vec3 heat_of(float weight)
{
    const float at = std::clamp(weight, 0.0f, 1.0f) * static_cast<float>(heat_colors.size() - 1);
    const auto step = std::min(static_cast<std::size_t>(at), heat_colors.size() - 2);
    return glm::mix(heat_colors[step], heat_colors[step + 1], at - static_cast<float>(step));
}

// Hues separated by the golden ratio, so that neighbors in the list differ strongly.
glm::vec3 color_of(std::uint32_t joint)
{
    const float hue = std::fmod(static_cast<float>(joint) * 0.6180340f, 1.0f) * 6.0f;
    const glm::vec3 c(std::abs(hue - 3.0f) - 1.0f, 2.0f - std::abs(hue - 2.0f), 2.0f - std::abs(hue - 4.0f));
    return glm::mix(glm::vec3(0.05f), glm::vec3(0.75f), glm::clamp(c, 0.0f, 1.0f));
}

glm::vec3 color_at(const scene::Scene& scene, const scene::Instance& instance, std::size_t vertex,
                   std::uint32_t joint)
{
    const auto& influences = scene.meshes[instance.mesh].influences;
    const auto& skin = scene.skins[instance.skin];
    glm::vec3 mixed(0.0f);
    float weight = 0.0f;
    for (auto i = influences.first[vertex]; i < influences.first[vertex + 1]; ++i) {
        const auto node = scene::file_node(scene, skin.joints[influences.joints[i]]);
        mixed += influences.weights[i] * color_of(node);
        if (node == joint) weight += influences.weights[i];
    }
    if (influences.first[vertex] == influences.first[vertex + 1]) return unskinned_color;
    return joint == scene::none ? glm::max(mixed, 0.0f) : heat_of(weight);
}

} // namespace

std::vector<shared::VertexAttributes> weight_colors(const scene::Scene& scene, const PackedScene& packed,
                                                    std::string_view joint)
{
    const auto found = joint.empty() ? std::optional(scene::none) : scene::find_joint(scene, joint);
    if (!found) throw RenderError(fmt::format("the scene has no joint '{}'", joint));
    const auto node = *found;
    std::vector<shared::VertexAttributes> out;
    for (std::size_t i = 0; i < packed.instances.size(); ++i) {
        const auto& instance = packed.instances[i];
        const auto& mesh = scene.meshes[instance.mesh];
        const bool skinned = instance.skin != scene::none && !mesh.influences.first.empty();
        out.resize(std::max(out.size(), packed.first_vertex[i] + mesh.positions.size()));
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            const auto color = skinned ? color_at(scene, instance, v, node) : unskinned_color;
            out[packed.first_vertex[i] + v].color = {glm::packHalf2x16({color.x, color.y}),
                                                     glm::packHalf2x16({color.z, 1.0f})};
        }
    }
    return out;
}

} // namespace vitrine::render
