#pragma once
// The parser of BVH text: words (word_reader.cpp), hierarchy (parser.cpp), then motion (motion_parser.cpp).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/bvh/document.hpp"

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

class Parser {
public:
    // The text, the limits and the log must outlive the parser.
    Parser(std::string_view text, const Limits& limits, io::WarningLog& warnings);
    LoadResult<Document> run();

private:
    static constexpr double max_value = 1e12; // of offsets and channels

    LoadResult<void> read_hierarchy();
    LoadResult<void> open_joint(bool is_end_site);
    LoadResult<void> read_offset();
    LoadResult<void> read_channels();
    void name_joints();

    LoadResult<void> read_motion();
    LoadResult<void> read_frame_count();
    void read_frame_time();
    LoadResult<void> read_frames();
    LoadResult<bool> read_frame();
    void end_frame();
    LoadResult<void> check_frame_limits() const;
    std::uint64_t key_values_per_frame() const;
    void report_frame_count();

    // NaN and infinity are numbers.
    LoadResult<double> read_number(std::string_view what);
    std::unexpected<LoadError> malformed(std::string sentence) const;

    WordReader in_;
    const Limits& limits_;
    io::WarningLog& warnings_;
    Document document_;
    std::vector<std::string_view> names_; // by joint, as in the file
    std::vector<std::uint32_t> open_;     // joints whose brace is open
    bool has_motion_ = false;
    std::uint64_t declared_frames_ = 0;
    std::uint64_t frames_in_line_ = 0; // that follow on the current line
};

} // namespace vitrine::bvh
