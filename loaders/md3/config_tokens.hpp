#pragma once
// The words of an animation.cfg, as the game splits it. Pure.

#include <cstdint>
#include <string_view>
#include <vector>

namespace vitrine::md3 {

struct ConfigWord {
    std::string_view text;
    std::string_view comment; // behind it on its line, up to the next word: "// LEGS_RUN"; empty: none
    std::uint32_t line = 1;
};

struct ConfigWords {
    std::vector<ConfigWord> words;
    std::uint32_t open_comment = 0; // the line of a /* that nothing closes; 0: none
};

// What stands between white space, quotes, commas and comments (// and /* */, which the end of the text
// closes too). Lines end with CR, LF or both. Views of `text`; linear.
ConfigWords split_config(std::string_view text);

} // namespace vitrine::md3
