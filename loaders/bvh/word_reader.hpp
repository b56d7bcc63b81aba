#pragma once
// The words of a BVH file and their lines.

#include <cstdint>
#include <string>
#include <string_view>

namespace vitrine::bvh {

// Words are separated by blanks, line ends (LF, CRLF or CR) and colons; each brace is a word. Names may
// contain all of these but braces and line ends: read_name().
class WordReader {
public:
    explicit WordReader(std::string_view text) : text_(text) {}

    // The next word; empty at the end of the text.
    std::string_view next();
    std::string_view peek();
    // Consumes the next word if it is this one, in any case.
    bool accept(std::string_view word);
    // The rest of the line up to a brace, without blanks at both ends.
    std::string_view read_name();
    // Whether another word follows on the current line.
    bool has_more_in_line();
    // Counts the words of the rest of the line; does not consume them.
    std::uint64_t count_in_line();
    void skip_line();

    std::uint64_t remaining() const { return text_.size() - at_; }
    // "line 12" of the word that was read last.
    std::string where() const;

private:
    void skip_separators();
    void pass_line_end();

    std::string_view text_;
    std::size_t at_ = 0;
    std::uint64_t line_ = 1;      // of `at_`
    std::uint64_t word_line_ = 1; // of the last word
};

} // namespace vitrine::bvh
