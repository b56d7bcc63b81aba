#pragma once
// A simple font of straight strokes for labels: ASCII, Latin with diacritics, Greek and Cyrillic; a box for
// all other characters. Pure functions.

#include <string_view>
#include <vector>

#include <glm/glm.hpp>

namespace vitrine::render {

// In font units: x to the right, y down; capitals extend from 0 to font_baseline.
struct Stroke {
    glm::vec2 from{0.0f};
    glm::vec2 to{0.0f}; // equal to `from`: a dot
};

inline constexpr float font_baseline = 6.0f;
inline constexpr float font_descent = 8.0f;

// A line of text.
struct StrokedText {
    std::vector<Stroke> strokes;
    float width = 0.0f;
};
// Writes a line of UTF-8 text to `out`, replacing its content and reusing its memory.
void stroke_text(std::string_view text, StrokedText& out);
// Whether the text is drawn without a replacement box.
bool can_stroke(std::string_view text);

} // namespace vitrine::render
