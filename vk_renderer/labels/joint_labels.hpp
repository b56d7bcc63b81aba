#pragma once
// The names of joints beside them, drawn into a picture that is finished. Pure: no device.

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
    glm::vec3 place{0.0f}; // as `params` measure
};

// Used by one thread at a time, again and again without allocating.
class JointNames {
public:
    // `font`: as Options::label_font.
    explicit JointNames(std::filesystem::path font, GlyphFont::Notice notice = {});
    // The nearest first; a name that would stand on another is left out. A node without a name, or with one
    // in letters that no font has, shows its number. `params`: of the picture.
    void draw(const scene::Scene& scene, std::span<const JointPosition> joints,
              const shared::FrameParams& params, Frame& frame);

private:
    // A joint as the picture shows it.
    struct Place {
        std::uint32_t node;
        glm::vec2 pixel;
        float depth;
    };

    void gather(std::span<const JointPosition> joints, const shared::FrameParams& params, const Frame& frame);
    // Into text_; false: neither font has all of its letters.
    bool compose(std::string_view name);
    void write(const scene::Scene& scene, const Place& place);

    GlyphFont glyphs_;
    std::vector<Place> places_;
    StrokedText text_;
    LabelStyle strokes_, bitmaps_;            // of this picture
    const LabelStyle* label_style_ = nullptr; // of text_
    LabelPainter painter_;
};

} // namespace vitrine::render
