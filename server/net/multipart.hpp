#pragma once
// multipart/form-data (RFC 7578) as a state machine without I/O: takes bytes, returns events, stores only the
// header of one part. Pull style:
//    parser.feed(bytes);                       // stays valid until need_input
//    while ((event = parser.next()) != MultipartEvent::need_input) ...

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vitrine::server {

enum class MultipartEvent : std::uint8_t {
    need_input, // call feed(), or the body ended too early
    part_begin, // part() is set
    part_data,  // data() is set, valid until the next call; as long as the input allows
    part_end,
    finished, // the closing boundary was read; the rest is ignored
    failed,   // error() has the reason; final state
};

struct MultipartPart {
    std::string name;                    // of the form field
    std::optional<std::string> filename; // as sent, with folders; absent for a plain field
    std::string content_type;
};

// Returns the boundary of a Content-Type value (1..70 characters); empty when it is not multipart/form-data
// or has none.
std::optional<std::string> multipart_boundary(std::string_view content_type);

// Returns the file name of a Content-Disposition value, of any disposition; empty when it has none or one
// that is not text.
std::optional<std::string> disposition_filename(std::string_view value);

class MultipartParser {
public:
    explicit MultipartParser(std::string_view boundary);

    void feed(std::string_view bytes) { input_ = bytes; }
    MultipartEvent next();
    const MultipartPart& part() const { return part_; }
    std::string_view data() const { return data_; }
    const std::string& error() const { return error_; }

private:
    enum class State : std::uint8_t { preamble, body, after_delimiter, header, finished, failed };

    MultipartEvent scan(bool emit);
    std::size_t data_length() const;
    MultipartEvent emit_data(bool emit);
    MultipartEvent after_delimiter();
    MultipartEvent header();
    bool parse_header();
    bool parse_field(std::string_view line);
    MultipartEvent fail(std::string why);

    std::string delimiter_; // CR LF "--" boundary
    std::string_view input_;
    std::size_t matched_; // characters of delimiter_ matched at the end of the consumed input
    std::size_t preamble_ = 0;
    State state_ = State::preamble;
    std::string header_;
    std::string tail_; // text between the boundary and its line break
    MultipartPart part_;
    std::string_view data_;
    std::string error_;
};

} // namespace vitrine::server
