#include "vk_renderer/labels/joint_labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace vitrine::render {
namespace {

constexpr float halo_px = 1.6f;           // pixels around the strokes
constexpr float label_distance_px = 6.0f; // pixels from the point to its label
constexpr glm::vec3 text_color{1.0f, 0.97f, 0.9f};
constexpr glm::vec3 halo_color{0.05f, 0.06f, 0.07f};
constexpr float halo_strength = 0.8f;
constexpr int cell_px = 4; // pixels

float distance_to(const Stroke& stroke, glm::vec2 point)
{
    const glm::vec2 along = stroke.to - stroke.from, from = point - stroke.from;
    const float length = glm::dot(along, along);
    const float fraction = length > 0.0f ? std::clamp(glm::dot(from, along) / length, 0.0f, 1.0f) : 0.0f;
    return glm::length(from - fraction * along);
}

// Composites over straight alpha.
void blend(std::uint8_t* pixel, glm::vec3 color, float alpha)
{
    const float below = static_cast<float>(pixel[3]) / 255.0f * (1.0f - alpha);
    const float sum = alpha + below;
    if (sum <= 0.0f) return;
    for (int i = 0; i < 3; ++i) {
        const float mixed = (color[i] * alpha + static_cast<float>(pixel[i]) / 255.0f * below) / sum;
        pixel[i] = static_cast<std::uint8_t>(std::lround(255.0f * mixed));
    }
    pixel[3] = static_cast<std::uint8_t>(std::lround(255.0f * sum));
}

} // namespace

void LabelPainter::begin(Frame& frame)
{
    frame_ = &frame;
    columns_ = static_cast<int>(frame.width) / cell_px + 1;
    occupied_.assign(static_cast<std::size_t>(columns_) * (frame.height / cell_px + 1), false);
}

void LabelPainter::write(const StrokedText& text, const LabelStyle& label_style, glm::vec2 point)
{
    const float top = std::round(point.y - label_style.unit * label_style.center);
    for (const float left :
         {point.x + label_distance_px, point.x - label_distance_px - text.width * label_style.unit}) {
        const glm::vec2 corner(std::round(left), top);
        const auto box = box_of(text, label_style, corner);
        if (reserve(box)) return draw(text, label_style, box, corner);
    }
}

LabelPainter::Box LabelPainter::box_of(const StrokedText& text, const LabelStyle& label_style,
                                       glm::vec2 corner)
{
    const glm::vec2 end = corner + label_style.unit * glm::vec2(text.width, label_style.height);
    return {static_cast<int>(std::floor(corner.x - 2.0f)), static_cast<int>(std::floor(corner.y - 2.0f)),
            static_cast<int>(std::ceil(end.x + 2.0f)), static_cast<int>(std::ceil(end.y))};
}

// Returns false, without changes, if the box leaves the image or overlaps a label.
bool LabelPainter::reserve(const Box& box)
{
    if (box.left < 0 || box.top < 0 || box.right >= static_cast<int>(frame_->width) ||
        box.bottom >= static_cast<int>(frame_->height))
        return false;
    bool free = true;
    each_cell(box, [&](std::vector<bool>::reference taken) { free = free && !taken; });
    if (free) each_cell(box, [](std::vector<bool>::reference taken) { taken = true; });
    return free;
}

template <class Visit>
void LabelPainter::each_cell(const Box& box, Visit visit)
{
    for (int y = box.top / cell_px; y <= box.bottom / cell_px; ++y)
        for (int x = box.left / cell_px; x <= box.right / cell_px; ++x)
            visit(occupied_[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) +
                            static_cast<std::size_t>(x)]);
}

// Halos first, so that none covers the adjacent letter.
void LabelPainter::draw(const StrokedText& text, const LabelStyle& label_style, const Box& box,
                        glm::vec2 corner)
{
    struct StrokePass {
        float wider;
        glm::vec3 color;
        float strength;
    };
    for (const auto& [wider, color, strength] :
         {StrokePass{halo_px, halo_color, halo_strength}, StrokePass{0.0f, text_color, 1.0f}}) {
        cover_.assign(std::size_t(box.right - box.left + 1) * std::size_t(box.bottom - box.top + 1), 0.0f);
        for (const auto& stroke : text.strokes)
            cover(box, {corner + label_style.unit * stroke.from, corner + label_style.unit * stroke.to},
                  label_style.half_stroke + wider);
        paint(box, color, strength);
    }
}

// Adds the stroke's coverage of each pixel of the box to cover_.
void LabelPainter::cover(const Box& box, const Stroke& stroke, float half)
{
    const glm::vec2 low = glm::min(stroke.from, stroke.to) - half - 1.0f;
    const glm::vec2 high = glm::max(stroke.from, stroke.to) + half + 1.0f;
    const int width = box.right - box.left + 1;
    for (int y = std::max(box.top, static_cast<int>(low.y));
         y <= std::min(box.bottom, static_cast<int>(high.y)); ++y)
        for (int x = std::max(box.left, static_cast<int>(low.x));
             x <= std::min(box.right, static_cast<int>(high.x)); ++x) {
            auto& covered = cover_[static_cast<std::size_t>((y - box.top) * width + x - box.left)];
            const float away = distance_to(stroke, glm::vec2(x, y));
            covered = std::max(covered, std::clamp(half + 0.5f - away, 0.0f, 1.0f));
        }
}

void LabelPainter::paint(const Box& box, glm::vec3 color, float strength)
{
    const float* covered = cover_.data();
    auto* const pixels = frame_->pixels.own().data();
    for (int y = box.top; y <= box.bottom; ++y)
        for (int x = box.left; x <= box.right; ++x, ++covered) {
            if (*covered <= 0.0f) continue;
            const auto at = static_cast<std::size_t>(y) * frame_->width + static_cast<std::size_t>(x);
            blend(pixels + at * 4, color, strength * *covered);
        }
}

} // namespace vitrine::render
