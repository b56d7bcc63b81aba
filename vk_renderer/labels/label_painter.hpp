#pragma once
// Labels in a picture that is finished: strokes with a halo beside a point, none on another. Pure: no device.
// Its memory grows to what was needed and is used again.

#include <cstdint>
#include <vector>

#include <glm/glm.hpp>

#include "vk_renderer/base/frame.hpp"
#include "vk_renderer/labels/stroke_font.hpp"

namespace vitrine::render {

// How large the letters of a font stand in the picture.
struct LabelStyle {
    float unit = 1.0f;        // pixels of a unit of the font
    float half_stroke = 0.5f; // pixels
    float middle = 0.0f;      // units from the top; this stands at the height of the point
    float height = 0.0f;      // units
};

class LabelPainter {
public:
    // Of the next labels, which the frame outlives.
    void begin(Frame& frame);
    // To the right of the point; where that is taken to its left; else not at all.
    void write(const StrokedText& text, const LabelStyle& label_style, glm::vec2 point);

private:
    // Pixels; the corners belong to it.
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
    std::vector<bool> occupied_; // what of the picture labels stand on, in cells
    std::vector<float> cover_;   // of the box that is drawn
};

} // namespace vitrine::render
