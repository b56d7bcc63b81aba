#pragma once
// A plain font of straight strokes, for labels in pictures: ASCII, Latin with its marks, Greek and Cyrillic,
// a box for everything else. Pure.

#include <string_view>
#include <vector>

#include <glm/glm.hpp>

namespace vitrine::render {

// In units of the font: x to the right, y down; capitals stand from 0 to font_baseline.
struct Stroke {
    glm::vec2 from{0.0f};
    glm::vec2 to{0.0f}; // the same: a dot
};

inline constexpr float font_baseline = 6.0f;
inline constexpr float font_descent = 8.0f;

// A line of text.
struct StrokedText {
    std::vector<Stroke> strokes;
    float width = 0.0f;
};
// Writes a line of UTF-8 in the place of what `out` held, whose memory is used again.
void stroke_text(std::string_view text, StrokedText& out);
// Whether that shows no box.
bool can_stroke(std::string_view text);

} // namespace vitrine::render
