#pragma once
// Splits an animation.cfg into words like the game. Pure.

#include <cstdint>
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

// Words are separated by white space, quotes, commas and comments (// and /* */, which the end of the text
// closes too). Lines end with CR, LF or both. Views of `text`; linear time.
ConfigWords split_config(std::string_view text);

} // namespace vitrine::md3
