#pragma once
// Draws joint names beside the joints into a finished image. No device access.

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "loaders/scene/scene.hpp"
#include "vk_renderer/base/frame.hpp"
#include "vk_renderer/labels/bitmap_font.hpp"
#include "vk_renderer/labels/label_painter.hpp"
#include "vk_renderer/labels/stroke_font.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

struct JointPosition {
    std::uint32_t node = 0;
    glm::vec3 place{0.0f}; // in the space of `params`
};

// Used by one thread at a time; reused without allocating.
class JointNames {
public:
    // `font`: see Options::label_font.
    explicit JointNames(std::filesystem::path font, GlyphFont::Notice notice = {});
    // Draws the nearest joints first and skips names that would overlap another. A node without a name, or
    // with letters that no font has, is labeled with its number. `params`: those of the image.
    void draw(const scene::Scene& scene, std::span<const JointPosition> joints,
              const shared::FrameParams& params, Frame& frame);

private:
    // A joint's position in the image.
    struct Place {
        std::uint32_t node;
        glm::vec2 pixel;
        float depth;
    };

    void gather(std::span<const JointPosition> joints, const shared::FrameParams& params, const Frame& frame);
    // Composes the strokes in text_; false if neither font has all letters.
    bool compose(std::string_view name);
    void write(const scene::Scene& scene, const Place& place);

    GlyphFont glyphs_;
    std::vector<Place> places_;
    StrokedText text_;
    LabelStyle strokes_, bitmaps_;            // for this image
    const LabelStyle* label_style_ = nullptr; // of text_
    LabelPainter painter_;
};

} // namespace vitrine::render
