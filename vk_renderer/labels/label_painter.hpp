#pragma once
// Draws labels into a finished image: strokes with a halo beside a point, without overlaps. No device access.
// Its memory grows to the largest size needed and is reused.

#include <cstdint>
#include <vector>

#include <glm/glm.hpp>

#include "vk_renderer/base/frame.hpp"
#include "vk_renderer/labels/stroke_font.hpp"

namespace vitrine::render {

// Size of a font's letters in the image.
struct LabelStyle {
    float unit = 1.0f;        // pixels per font unit
    float half_stroke = 0.5f; // pixels
    float middle = 0.0f;      // font units from the top; aligned with the point's height
    float height = 0.0f;      // font units
};

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

} // namespace vitrine::render
