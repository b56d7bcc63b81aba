#pragma once
// The parser of BVH text: hierarchy (parser.cpp), then motion (motion_parser.cpp).

#include <string>
#include <string_view>
#include <vector>

#include "loaders/bvh/document.hpp"
#include "loaders/bvh/word_reader.hpp"

namespace vitrine::bvh {

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
