#pragma once
// The words and rows of an animation.cfg. Pure.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace vitrine::md3 {

struct ConfigWord {
    std::string_view text;
    std::string_view
        comment; // after the word, on its line, up to the next word: "// LEGS_RUN"; empty without one
    std::uint32_t line = 1;
};

struct ConfigWords {
    std::vector<ConfigWord> words;
    std::uint32_t open_comment = 0; // line of an unclosed /*; 0: none
};

// Splits the text into words like the game. Words are separated by white space, quotes, commas and comments
// (// and /* */, which the end of the text closes too). Lines end with CR, LF or both. Views of `text`;
// linear time.
ConfigWords split_config(std::string_view text);

// The numbers of one animation.
struct ConfigRow {
    std::string_view name; // before the numbers or in a comment; empty: determined by the row's position
    std::array<std::optional<double>, 4> numbers; // first, count, loop, rate; nullopt: invalid
    std::string_view text;
    std::uint32_t line = 1; // line of its first number
};

// Reads as the game does: keywords with their arguments (sex, footsteps, headoffset, fixedlegs, fixedtorso),
// then four numbers per row, independent of line ends. Also accepts the form of other games of the engine:
// "NAME first count loop rate", with further numbers after the four. A line that starts a row with too few
// numbers is an invalid row, not continued by a next line that has four itself. Lines that start with any
// other word are skipped. Linear time.
std::vector<ConfigRow> read_rows(std::span<const ConfigWord> words);

} // namespace vitrine::md3
