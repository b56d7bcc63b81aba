#pragma once
// The words of a Quake III shader script. Kinder than io::TextReader, as the game is: whatever a line holds,
// the next one is read again.

#include <string_view>

namespace vitrine::quake {

class ScriptWords {
public:
    struct Word {
        std::string_view text;   // without its quotes; empty: the end
        bool starts_line = true; // nothing but blanks and comments stands before it

        bool opens() const { return text == "{"; }
        bool closes() const { return text == "}"; }
    };

    explicit ScriptWords(std::string_view text) : text_(text) {}

    // Braces and what stands between white space; // and /* */ comments where a word would begin. A "quoted
    // string" ends with its line at the latest.
    Word next();
    // Where the next call goes on, as an offset into the text.
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
