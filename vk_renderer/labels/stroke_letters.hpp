#pragma once
// How letters beyond ASCII are put together from the strokes of others: Latin with its marks, Greek,
// Cyrillic. Pure.

#include <array>
#include <optional>
#include <string_view>

namespace vitrine::render {

// The letter's own shape: strokes as stroke_font.cpp writes them, or one or two letters of ASCII.
struct Letter {
    std::string_view strokes{};
    std::array<char, 2> ascii{};
    bool small = false;    // a capital squeezed to the height of small letters
    std::string_view mark; // above or below, on a letter two units wide; empty: none
};

// Empty: the font has no such letter.
std::optional<Letter> find_letter(char32_t code);

} // namespace vitrine::render
