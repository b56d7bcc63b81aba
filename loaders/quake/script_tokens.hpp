#pragma once
// Splits a Quake III shader script into words. More tolerant than io::TextReader, as is the game: each line
// is read independently of errors in previous ones.

#include <string_view>

namespace vitrine::quake {

class ScriptWords {
public:
    struct Word {
        std::string_view text;   // without quotes; empty: the end
        bool starts_line = true; // preceded only by blanks and comments on its line

        bool opens() const { return text == "{"; }
        bool closes() const { return text == "}"; }
    };

    explicit ScriptWords(std::string_view text) : text_(text) {}

    // Returns braces and words separated by white space; // and /* */ comments start where a word could. A
    // "quoted string" ends at the end of its line at the latest.
    Word next();
    // Returns the offset in the text at which the next call continues.
    std::size_t at() const { return at_; }

private:
    bool skip_blanks();
    bool skip_comment();
    std::string_view take_quoted();

    std::string_view text_;
    std::size_t at_ = 0;
    bool at_line_start_ = true;
};

} // namespace vitrine::quake
