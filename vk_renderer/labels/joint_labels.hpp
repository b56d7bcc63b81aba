#pragma once
// Draws joint names beside the joints into a finished image. No device access.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"
#include "vk_renderer/base/frame.hpp"
#include "vk_renderer/labels/bitmap_font.hpp"
#include "vk_renderer/labels/stroke_font.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

// Size of a font's letters in the image.
struct LabelStyle {
    float unit = 1.0f;        // pixels per font unit
    float half_stroke = 0.5f; // pixels
    float center = 0.0f;      // font units from the top; aligned with the point's height
    float height = 0.0f;      // font units
};

// Draws labels into a finished image: strokes with a halo beside a point, without overlaps. Its memory grows
// to the largest size needed and is reused.
class LabelPainter {
public:
    // Sets the frame of the next labels, which must outlive them.
    void begin(Frame& frame);
    // Draws to the right of the point, to its left if that is occupied, or not at all.
    void write(const StrokedText& text, const LabelStyle& label_style, glm::vec2 point);

private:
    // Pixels; the corners are included.
    struct Box {
        int left, top, right, bottom;
    };

    static Box box_of(const StrokedText& text, const LabelStyle& label_style, glm::vec2 corner);
    bool reserve(const Box& box);
    template <class Visit>
    void each_cell(const Box& box, Visit visit);
    void draw(const StrokedText& text, const LabelStyle& label_style, const Box& box, glm::vec2 corner);
    void cover(const Box& box, const Stroke& stroke, float half);
    void paint(const Box& box, glm::vec3 color, float strength);

    Frame* frame_ = nullptr;
    int columns_ = 0;
    std::vector<bool> occupied_; // cells covered by labels
    std::vector<float> cover_;   // coverage of the pixels of the current box
};

struct JointPosition {
    std::uint32_t node = 0;
    glm::vec3 position{0.0f}; // in the space of `params`
};

// Used by one thread at a time; reused without allocating.
class JointNames {
public:
    // `font`: see Options::label_font.
    explicit JointNames(std::filesystem::path font, GlyphFont::LogFunction on_log_message = {});
    // Draws the nearest joints first and skips names that would overlap another. A node without a name, or
    // with letters that no font has, is labeled with its number. `params`: those of the image.
    void draw(const scene::Scene& scene, std::span<const JointPosition> joints,
              const shared::ImageParams& params, Frame& frame);

private:
    // A joint's position in the image.
    struct JointLabel {
        std::uint32_t node;
        glm::vec2 pixel;
        float depth;
    };

    void gather(std::span<const JointPosition> joints, const shared::ImageParams& params, const Frame& frame);
    // Composes the strokes in text_; false if neither font has all letters.
    bool compose(std::string_view name);
    void write(const scene::Scene& scene, const JointLabel& label);

    GlyphFont glyphs_;
    std::vector<JointLabel> labels_;
    StrokedText text_;
    LabelStyle strokes_, bitmaps_;            // for this image
    const LabelStyle* label_style_ = nullptr; // of text_
    LabelPainter painter_;
};

} // namespace vitrine::render
