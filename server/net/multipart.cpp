#include "server/net/multipart.hpp"

#include <algorithm>
#include <cstring>

#include "loaders/base/ascii.hpp"
#include "loaders/base/utf8.hpp"
#include "server/net/accept.hpp"
#include "server/net/http.hpp"
#include "server/net/url.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_header_bytes = 16 * 1024;
constexpr std::size_t max_preamble_bytes = 64 * 1024;
constexpr std::size_t max_tail_bytes = 64;

// Parses a quoted value after its opening quote; moves `text` behind the closing quote. A backslash escapes a
// quote or a backslash; any other backslash is a literal character (Windows paths of old clients).
std::optional<std::string> take_quoted(std::string_view& text)
{
    std::string value;
    while (!text.empty()) {
        char c = text.front();
        text.remove_prefix(1);
        if (c == '"') return value;
        if (c == '\\' && !text.empty() && (text.front() == '"' || text.front() == '\\')) {
            c = text.front();
            text.remove_prefix(1);
        }
        value.push_back(c);
    }
    return std::nullopt;
}

// Parses the next `; name=value`; returns false at the end or when it is malformed.
bool take_parameter(std::string_view& text, std::string& name, std::string& value)
{
    text = without_blanks(text);
    if (text.empty() || text.front() != ';') return false;
    text = without_blanks(text.substr(1));
    auto equals = text.find('=');
    if (equals == text.npos) return false;
    name = ascii::lower(without_blanks(text.substr(0, equals)));
    text = without_blanks(text.substr(equals + 1));
    if (!text.empty() && text.front() == '"') {
        text.remove_prefix(1);
        auto quoted = take_quoted(text);
        if (!quoted) return false;
        value = std::move(*quoted);
        return true;
    }
    auto end = std::min(text.find(';'), text.size());
    value = without_blanks(text.substr(0, end));
    text.remove_prefix(end);
    return true;
}

void replace_all(std::string& text, std::string_view from, std::string_view to)
{
    for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

// Parses filename*=UTF-8''percent-encoded (RFC 5987).
std::optional<std::string> extended_value(std::string_view text)
{
    auto first = text.find('\'');
    auto second = first == text.npos ? first : text.find('\'', first + 1);
    if (second == text.npos || ascii::lower(text.substr(0, first)) != "utf-8") return std::nullopt;
    return percent_decode(text.substr(second + 1));
}

bool good_text(std::string_view text)
{
    return is_utf8(text) && std::none_of(text.begin(), text.end(), [](char c) { return c >= 0 && c < 0x20; });
}

} // namespace

std::optional<std::string> multipart_boundary(std::string_view content_type)
{
    auto semicolon = content_type.find(';');
    if (semicolon == content_type.npos) return std::nullopt;
    if (media_type_of(content_type) != "multipart/form-data") return std::nullopt;
    auto rest = content_type.substr(semicolon);
    std::string name, value;
    while (take_parameter(rest, name, value)) {
        bool good = !value.empty() && value.size() <= 70 && value.find_first_of("\r\n") == value.npos;
        if (name == "boundary" && good) return value;
    }
    return std::nullopt;
}

std::optional<std::string> disposition_filename(std::string_view value)
{
    auto rest = value.substr(std::min(value.find(';'), value.size()));
    std::string key, text;
    std::optional<std::string> name, extended;
    while (take_parameter(rest, key, text)) {
        if (key == "filename") name = text;
        if (key == "filename*") extended = extended_value(text);
    }
    if (extended) name = std::move(extended);
    return name && !name->empty() && good_text(*name) ? name : std::nullopt;
}

// The first boundary may be at the very start without a preceding line break: starts as if the break had been
// read.
MultipartParser::MultipartParser(std::string_view boundary)
    : delimiter_("\r\n--" + std::string(boundary)), matched_(2)
{
}

MultipartEvent MultipartParser::fail(std::string why)
{
    error_ = std::move(why);
    state_ = State::failed;
    return MultipartEvent::failed;
}

MultipartEvent MultipartParser::next()
{
    for (;;) {
        switch (state_) {
        case State::failed: return MultipartEvent::failed;
        case State::finished: return MultipartEvent::finished;
        default: break;
        }
        if (input_.empty()) return MultipartEvent::need_input;
        MultipartEvent event = MultipartEvent::need_input;
        switch (state_) {
        case State::preamble: event = scan(false); break;
        case State::body: event = scan(true); break;
        case State::after_delimiter: event = after_delimiter(); break;
        default: event = header(); break;
        }
        if (event != MultipartEvent::need_input) return event;
    }
}

// Consumes input until data can be emitted, the delimiter is complete or the input is exhausted. Data is
// emitted in contiguous spans: at most three for each input (CR occurs only at the start of the delimiter).
MultipartEvent MultipartParser::scan(bool emit)
{
    if (matched_ == 0) {
        data_ = input_.substr(0, data_length());
        input_.remove_prefix(data_.size());
        if (!data_.empty()) return emit_data(emit);
    }
    while (!input_.empty() && matched_ < delimiter_.size() && input_.front() == delimiter_[matched_]) {
        input_.remove_prefix(1);
        ++matched_;
    }
    if (matched_ == delimiter_.size()) {
        matched_ = 0;
        state_ = State::after_delimiter;
        return emit ? MultipartEvent::part_end : MultipartEvent::need_input;
    }
    if (input_.empty()) return MultipartEvent::need_input;
    data_ = std::string_view(delimiter_).substr(0, matched_); // the end of the previous input was data
    matched_ = 0;
    return emit_data(emit);
}

// Returns the length of the input before the delimiter, or before the beginning of one at the input's end.
std::size_t MultipartParser::data_length() const
{
    // A search of std::string_view compares at every carriage return.
    const void* const found = ::memmem(input_.data(), input_.size(), delimiter_.data(), delimiter_.size());
    if (found != nullptr) return static_cast<std::size_t>(static_cast<const char*>(found) - input_.data());
    const auto last = input_.rfind('\r');
    return last != input_.npos && delimiter_.starts_with(input_.substr(last)) ? last : input_.size();
}

// The preamble before the first boundary is skipped.
MultipartEvent MultipartParser::emit_data(bool emit)
{
    if (emit) return MultipartEvent::part_data;
    preamble_ += data_.size();
    if (preamble_ > max_preamble_bytes) return fail("the multipart body does not begin with its boundary");
    return MultipartEvent::need_input;
}

MultipartEvent MultipartParser::after_delimiter()
{
    while (!input_.empty()) {
        tail_.push_back(input_.front());
        input_.remove_prefix(1);
        if (tail_ == "--") {
            state_ = State::finished;
            return MultipartEvent::finished;
        }
        if (tail_.ends_with("\r\n")) {
            if (!without_blanks(std::string_view(tail_).substr(0, tail_.size() - 2)).empty()) {
                return fail("a multipart boundary is followed by other characters");
            }
            tail_.clear();
            header_.clear();
            state_ = State::header;
            return MultipartEvent::need_input;
        }
        if (tail_.size() > max_tail_bytes)
            return fail("a multipart boundary is not followed by a line break");
    }
    return MultipartEvent::need_input;
}

MultipartEvent MultipartParser::header()
{
    while (!input_.empty()) {
        header_.push_back(input_.front());
        input_.remove_prefix(1);
        if (header_.ends_with("\r\n\r\n") || header_ == "\r\n") {
            if (!parse_header()) return fail("a part has no valid Content-Disposition with a name");
            state_ = State::body;
            return MultipartEvent::part_begin;
        }
        if (header_.size() > max_header_bytes) return fail("the header of a part is longer than 16 KiB");
    }
    return MultipartEvent::need_input;
}

bool MultipartParser::parse_header()
{
    part_ = {};
    bool named = false;
    std::string_view rest = header_;
    while (!rest.empty()) {
        auto end = rest.find("\r\n");
        auto line = rest.substr(0, end);
        rest.remove_prefix(end + 2);
        auto colon = line.find(':');
        if (line.empty()) break;
        if (colon == line.npos) return false;
        auto name = ascii::lower(without_blanks(line.substr(0, colon)));
        auto value = without_blanks(line.substr(colon + 1));
        if (name == "content-type") part_.content_type = value;
        if (name == "content-disposition") {
            if (named || !parse_field(value)) return false;
            named = true;
        }
    }
    return named;
}

bool MultipartParser::parse_field(std::string_view value)
{
    auto end = std::min(value.find(';'), value.size());
    if (ascii::lower(without_blanks(value.substr(0, end))) != "form-data") return false;
    auto rest = value.substr(end);
    bool named = false;
    bool extended = false;
    std::string key, text;
    while (take_parameter(rest, key, text)) {
        if (key == "name") {
            part_.name = text;
            named = true;
        } else if (key == "filename*") {
            auto decoded = extended_value(text);
            if (!decoded) return false;
            part_.filename = std::move(*decoded);
            extended = true;
        } else if (key == "filename" && !extended) {
            replace_all(text, "%22", "\""); // browsers escape exactly these three (HTML, 4.10.21.8)
            replace_all(text, "%0D", "\r");
            replace_all(text, "%0A", "\n");
            part_.filename = text;
        }
    }
    return named && without_blanks(rest).empty() && good_text(part_.name) &&
           good_text(part_.filename.value_or(""));
}

} // namespace vitrine::server
