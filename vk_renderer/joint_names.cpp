#include "vk_renderer/joint_names.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "vk_renderer/stroke_font.hpp"

namespace vitrine::render {
namespace {

constexpr float half_stroke = 0.55f; // pixels, of the smallest letters
constexpr float halo = 1.6f;         // pixels around the strokes
constexpr float beside = 6.0f;       // pixels from the joint to its name
constexpr glm::vec3 ink{1.0f, 0.97f, 0.9f};
constexpr glm::vec3 halo_colour{0.05f, 0.06f, 0.07f};
constexpr float halo_strength = 0.8f;
constexpr int cell = 4; // pixels

// Pixels; the corners belong to it.
struct Box {
    int left, top, right, bottom;
};

// What of the picture names stand on, in cells.
class Taken {
public:
    Taken(std::uint32_t width, std::uint32_t height)
        : width_(static_cast<int>(width)), height_(static_cast<int>(height)), columns_(width_ / cell + 1),
          cells_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(height_ / cell + 1))
    {
    }
    // False, and nothing changes: it leaves the picture or stands on something.
    bool take(const Box& box)
    {
        if (box.left < 0 || box.top < 0 || box.right >= width_ || box.bottom >= height_) return false;
        bool free = true;
        each(box, [&](std::vector<bool>::reference taken) { free = free && !taken; });
        if (free) each(box, [](std::vector<bool>::reference taken) { taken = true; });
        return free;
    }

private:
    template <class Visit>
    void each(const Box& box, Visit visit)
    {
        for (int y = box.top / cell; y <= box.bottom / cell; ++y)
            for (int x = box.left / cell; x <= box.right / cell; ++x)
                visit(cells_[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) +
                             static_cast<std::size_t>(x)]);
    }

    int width_, height_, columns_;
    std::vector<bool> cells_;
};

float distance_to(const Stroke& stroke, glm::vec2 point)
{
    const glm::vec2 along = stroke.to - stroke.from, from = point - stroke.from;
    const float length = glm::dot(along, along);
    const float share = length > 0.0f ? std::clamp(glm::dot(from, along) / length, 0.0f, 1.0f) : 0.0f;
    return glm::length(from - share * along);
}

// Over straight alpha.
void blend(std::uint8_t* pixel, glm::vec3 colour, float alpha)
{
    const float below = static_cast<float>(pixel[3]) / 255.0f * (1.0f - alpha);
    const float sum = alpha + below;
    if (sum <= 0.0f) return;
    for (int i = 0; i < 3; ++i) {
        const float mixed = (colour[i] * alpha + static_cast<float>(pixel[i]) / 255.0f * below) / sum;
        pixel[i] = static_cast<std::uint8_t>(std::lround(255.0f * mixed));
    }
    pixel[3] = static_cast<std::uint8_t>(std::lround(255.0f * sum));
}

// A joint as the picture shows it.
struct Place {
    std::uint32_t node;
    glm::vec2 pixel;
    float depth;
};

class NameWriter {
public:
    explicit NameWriter(Frame& frame)
        : frame_(frame), taken_(frame.width, frame.height),
          unit_(
              std::clamp(std::round(static_cast<float>(std::min(frame.width, frame.height)) / 100.0f) / 4.0f,
                         1.25f, 3.0f))
    {
    }

    void write(std::string_view name, glm::vec2 joint)
    {
        const auto text = stroke_text(name);
        const float top = std::round(joint.y - 0.5f * unit_ * font_baseline);
        for (const float left : {joint.x + beside, joint.x - beside - text.width * unit_}) {
            const glm::vec2 corner(std::round(left), top);
            const auto box = box_of(text, corner);
            if (taken_.take(box)) return draw(text, box, corner);
        }
    }

private:
    Box box_of(const StrokedText& text, glm::vec2 corner) const
    {
        const glm::vec2 end = corner + unit_ * glm::vec2(text.width, font_descent);
        return {static_cast<int>(std::floor(corner.x - 2.0f)), static_cast<int>(std::floor(corner.y - 2.0f)),
                static_cast<int>(std::ceil(end.x + 2.0f)), static_cast<int>(std::ceil(end.y))};
    }

    // The halos first, so that none covers the letter beside it.
    void draw(const StrokedText& text, const Box& box, glm::vec2 corner)
    {
        const float half = half_stroke * std::max(unit_ / 1.5f, 1.0f);
        for (const auto& [wider, colour, strength] :
             {std::tuple(halo, halo_colour, halo_strength), std::tuple(0.0f, ink, 1.0f)}) {
            cover_.assign(std::size_t(box.right - box.left + 1) * std::size_t(box.bottom - box.top + 1),
                          0.0f);
            for (const auto& stroke : text.strokes)
                cover(box, {corner + unit_ * stroke.from, corner + unit_ * stroke.to}, half + wider);
            paint(box, colour, strength);
        }
    }

    // Adds to cover_ what the stroke covers of each pixel of the box.
    void cover(const Box& box, const Stroke& stroke, float half)
    {
        const glm::vec2 least = glm::min(stroke.from, stroke.to) - half - 1.0f;
        const glm::vec2 most = glm::max(stroke.from, stroke.to) + half + 1.0f;
        const int width = box.right - box.left + 1;
        for (int y = std::max(box.top, static_cast<int>(least.y));
             y <= std::min(box.bottom, static_cast<int>(most.y)); ++y)
            for (int x = std::max(box.left, static_cast<int>(least.x));
                 x <= std::min(box.right, static_cast<int>(most.x)); ++x) {
                auto& covered = cover_[static_cast<std::size_t>((y - box.top) * width + x - box.left)];
                const float away = distance_to(stroke, glm::vec2(x, y));
                covered = std::max(covered, std::clamp(half + 0.5f - away, 0.0f, 1.0f));
            }
    }

    void paint(const Box& box, glm::vec3 colour, float strength)
    {
        const float* covered = cover_.data();
        for (int y = box.top; y <= box.bottom; ++y)
            for (int x = box.left; x <= box.right; ++x, ++covered)
                if (*covered > 0.0f) blend(pixel(x, y), colour, strength * *covered);
    }

    std::uint8_t* pixel(int x, int y)
    {
        return frame_.pixels.data() +
               (static_cast<std::size_t>(y) * frame_.width + static_cast<std::size_t>(x)) * 4;
    }

    Frame& frame_;
    Taken taken_;
    float unit_; // pixels of a unit of the font
    std::vector<float> cover_;
};

// Empty: behind the eye or outside the picture.
std::optional<Place> place_of(const NamedPlace& joint, const shared::FrameParams& params, const Frame& frame)
{
    const glm::vec4 clip = params.clip_from_centred * glm::vec4(joint.place - glm::vec3(params.centre), 1.0f);
    if (!(clip.w > 0.0f)) return std::nullopt;
    const glm::vec2 size(frame.width, frame.height);
    const glm::vec2 pixel = (glm::vec2(clip) / clip.w * 0.5f + 0.5f) * size - 0.5f;
    if (!(pixel.x >= 0.0f && pixel.y >= 0.0f && pixel.x < size.x && pixel.y < size.y)) return std::nullopt;
    return Place{joint.node, pixel, clip.z / clip.w};
}

} // namespace

void draw_names(const scene::Scene& scene, std::span<const NamedPlace> joints,
                const shared::FrameParams& params, Frame& frame)
{
    std::vector<Place> places;
    for (const auto& joint : joints)
        if (const auto place = place_of(joint, params, frame)) places.push_back(*place);
    std::ranges::sort(places, [](const Place& a, const Place& b) {
        return a.depth != b.depth ? a.depth > b.depth : a.node < b.node; // reversed: 1 is near
    });
    NameWriter writer(frame);
    for (const auto& place : places) {
        const auto& name = scene.nodes[place.node].name;
        const bool readable = !name.empty() && can_stroke(name);
        writer.write(readable ? name : fmt::format("#{}", place.node), place.pixel);
    }
}

} // namespace vitrine::render
