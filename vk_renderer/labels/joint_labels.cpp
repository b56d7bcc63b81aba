#include "vk_renderer/labels/joint_labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace vitrine::render {
namespace {

constexpr float half_stroke = 0.55f;        // pixels, for the smallest letters
constexpr std::size_t max_name_bytes = 512; // longer names exceed the width of every image

LabelStyle stroke_label_style(const Frame& frame)
{
    const auto side = static_cast<float>(std::min(frame.width, frame.height));
    const float unit = std::clamp(std::round(side / 100.0f) / 4.0f, 1.25f, 3.0f);
    return {unit, half_stroke * std::max(unit / 1.5f, 1.0f), 0.5f * font_baseline, font_descent};
}

// A font pixel covers a whole number of image pixels where possible, so that it is sharp; larger images
// interpolate.
LabelStyle bitmap_label_style(const LabelStyle& strokes)
{
    const float unit = std::max(1.0f, strokes.unit / 2.0f);
    return {unit, half_stroke * unit, 0.5f * (glyph_height - 1), glyph_height};
}

// Empty: behind the eye or outside the image.
std::optional<glm::vec3> pixel_and_depth(glm::vec3 position, const shared::ImageParams& params,
                                         const Frame& frame)
{
    const glm::vec4 clip = params.clip_from_centered * glm::vec4(position - glm::vec3(params.center), 1.0f);
    if (!(clip.w > 0.0f)) return std::nullopt;
    const glm::vec2 size(frame.width, frame.height);
    const glm::vec2 pixel = (glm::vec2(clip) / clip.w * 0.5f + 0.5f) * size - 0.5f;
    if (!(pixel.x >= 0.0f && pixel.y >= 0.0f && pixel.x < size.x && pixel.y < size.y)) return std::nullopt;
    return glm::vec3(pixel, clip.z / clip.w);
}

} // namespace

JointNames::JointNames(std::filesystem::path font, GlyphFont::LogFunction on_log_message)
    : glyphs_(std::move(font), std::move(on_log_message))
{
}

void JointNames::gather(std::span<const JointPosition> joints, const shared::ImageParams& params,
                        const Frame& frame)
{
    labels_.clear();
    for (const auto& joint : joints)
        if (const auto projected = pixel_and_depth(joint.position, params, frame))
            labels_.push_back({joint.node, glm::vec2(*projected), projected->z});
    std::ranges::sort(labels_, [](const JointLabel& a, const JointLabel& b) {
        return a.depth != b.depth ? a.depth > b.depth : a.node < b.node; // reversed depth: 1 is near
    });
}

bool JointNames::compose(std::string_view name)
{
    if (name.empty() || name.size() > max_name_bytes) return false;
    if (can_stroke(name)) {
        label_style_ = &strokes_;
        stroke_text(name, text_);
        return true;
    }
    label_style_ = &bitmaps_;
    return glyphs_.write(name, text_);
}

void JointNames::write(const scene::Scene& scene, const JointLabel& label)
{
    if (!compose(scene.nodes[label.node].name)) {
        std::array<char, 16> number{};
        const auto written = fmt::format_to_n(number.data(), number.size(), "#{}", label.node);
        label_style_ = &strokes_;
        stroke_text({number.data(), written.size}, text_);
    }
    painter_.write(text_, *label_style_, label.pixel);
}

void JointNames::draw(const scene::Scene& scene, std::span<const JointPosition> joints,
                      const shared::ImageParams& params, Frame& frame)
{
    gather(joints, params, frame);
    strokes_ = stroke_label_style(frame);
    bitmaps_ = bitmap_label_style(strokes_);
    painter_.begin(frame);
    for (const auto& label : labels_)
        write(scene, label);
}

} // namespace vitrine::render
