#include "vk_renderer/joint_names.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace vitrine::render {
namespace {

constexpr float half_stroke = 0.55f; // pixels, of the smallest letters

Lettering stroke_lettering(const Frame& frame)
{
    const auto side = static_cast<float>(std::min(frame.width, frame.height));
    const float unit = std::clamp(std::round(side / 100.0f) / 4.0f, 1.25f, 3.0f);
    return {unit, half_stroke * std::max(unit / 1.5f, 1.0f), 0.5f * font_baseline, font_descent};
}

// Empty: behind the eye or outside the picture.
std::optional<glm::vec3> pixel_and_depth(glm::vec3 place, const shared::FrameParams& params,
                                         const Frame& frame)
{
    const glm::vec4 clip = params.clip_from_centred * glm::vec4(place - glm::vec3(params.centre), 1.0f);
    if (!(clip.w > 0.0f)) return std::nullopt;
    const glm::vec2 size(frame.width, frame.height);
    const glm::vec2 pixel = (glm::vec2(clip) / clip.w * 0.5f + 0.5f) * size - 0.5f;
    if (!(pixel.x >= 0.0f && pixel.y >= 0.0f && pixel.x < size.x && pixel.y < size.y)) return std::nullopt;
    return glm::vec3(pixel, clip.z / clip.w);
}

} // namespace

void JointNames::gather(std::span<const NamedPlace> joints, const shared::FrameParams& params,
                        const Frame& frame)
{
    places_.clear();
    for (const auto& joint : joints)
        if (const auto seen = pixel_and_depth(joint.place, params, frame))
            places_.push_back({joint.node, glm::vec2(*seen), seen->z});
    std::ranges::sort(places_, [](const Place& a, const Place& b) {
        return a.depth != b.depth ? a.depth > b.depth : a.node < b.node; // reversed: 1 is near
    });
}

void JointNames::write(const scene::Scene& scene, const Place& place, const Lettering& strokes)
{
    const auto& name = scene.nodes[place.node].name;
    if (!name.empty() && can_stroke(name)) {
        stroke_text(name, text_);
    } else {
        std::array<char, 16> number{};
        const auto written = fmt::format_to_n(number.data(), number.size(), "#{}", place.node);
        stroke_text({number.data(), written.size}, text_);
    }
    painter_.write(text_, strokes, place.pixel);
}

void JointNames::draw(const scene::Scene& scene, std::span<const NamedPlace> joints,
                      const shared::FrameParams& params, Frame& frame)
{
    gather(joints, params, frame);
    const auto strokes = stroke_lettering(frame);
    painter_.begin(frame);
    for (const auto& place : places_)
        write(scene, place, strokes);
}

} // namespace vitrine::render
