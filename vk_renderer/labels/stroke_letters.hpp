#pragma once
// Composes letters beyond ASCII from the strokes of others: Latin with diacritics, Greek, Cyrillic. Pure
// functions.

#include <array>
#include <optional>
#include <string_view>

namespace vitrine::render {

// The base shape: strokes in the notation of stroke_font.cpp, or one or two ASCII letters.
struct Letter {
    std::string_view strokes{};
    std::array<char, 2> ascii{};
    bool small = false;    // a capital compressed to the height of lowercase letters
    std::string_view mark; // above or below, for a letter two units wide; empty: none
};

// Returns an empty optional if the font has no such letter.
std::optional<Letter> find_letter(char32_t code);

} // namespace vitrine::render
