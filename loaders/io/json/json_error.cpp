#include "loaders/io/json/json_error.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "loaders/io/json/json_repair.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::io {
namespace {

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Every step either advances `at_` by one token or leaves it at the error.
class JsonErrorFinder {
public:
    explicit JsonErrorFinder(std::string_view text) : text_(text) {}

    std::size_t run()
    {
        for (;;) {
            skip_space();
            if (at_ == text_.size() && expect_ == Expect::end) return std::string_view::npos;
            if (at_ == text_.size() || !step()) return at_;
        }
    }

private:
    enum class Expect { value, value_or_close, key, key_or_close, colon, comma_or_close, end };

    // The current character; 0 after the end, which is not part of any token.
    char current() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

    bool step()
    {
        switch (expect_) {
        case Expect::value_or_close:
            if (current() == ']') return close();
            [[fallthrough]];
        case Expect::value: return read_value();
        case Expect::key_or_close:
            if (current() == '}') return close();
            [[fallthrough]];
        case Expect::key: return read_string(Expect::colon);
        case Expect::colon: return take(':', Expect::value);
        case Expect::comma_or_close:
            if (current() == open_.back()) return close();
            return take(',', open_.back() == '}' ? Expect::key : Expect::value);
        default: return false; // text after the value
        }
    }

    bool take(char expected, Expect next)
    {
        if (current() != expected) return false;
        ++at_;
        expect_ = next;
        return true;
    }

    bool open(char closing, Expect next)
    {
        ++at_;
        open_.push_back(closing);
        expect_ = next;
        return true;
    }

    bool close()
    {
        ++at_;
        open_.pop_back();
        return finish();
    }

    bool finish()
    {
        expect_ = open_.empty() ? Expect::end : Expect::comma_or_close;
        return true;
    }

    bool read_value()
    {
        switch (current()) {
        case '{': return open('}', Expect::key_or_close);
        case '[': return open(']', Expect::value_or_close);
        case '"': return read_string(open_.empty() ? Expect::end : Expect::comma_or_close);
        case 't': return read_word("true");
        case 'f': return read_word("false");
        case 'n': return read_word("null");
        default: return read_number();
        }
    }

    bool read_word(std::string_view word)
    {
        for (const char c : word) {
            if (current() != c) return false;
            ++at_;
        }
        return finish();
    }

    bool read_string(Expect next)
    {
        if (current() != '"') return false;
        for (++at_; current() != '"'; ++at_) {
            if (static_cast<unsigned char>(current()) < ' ') return false;
            if (current() == '\\' && !read_escape()) return false;
        }
        ++at_;
        expect_ = next;
        return true;
    }

    // Advances to its last character.
    bool read_escape()
    {
        ++at_;
        if (current() != 'u') return current() != '\0' && std::string_view("\"\\/bfnrt").contains(current());
        for (int i = 0; i < 4; ++i) {
            if (++at_; !is_hex(current())) return false;
        }
        return true;
    }

    bool read_digits()
    {
        if (!is_digit(current())) return false;
        while (is_digit(current()))
            ++at_;
        return true;
    }

    bool read_number()
    {
        if (current() == '-') ++at_;
        const bool zero = current() == '0';
        if (zero ? (++at_, is_digit(current())) : !read_digits()) return false;
        if (current() == '.' && (++at_, !read_digits())) return false;
        if (current() == 'e' || current() == 'E') {
            ++at_;
            if (current() == '+' || current() == '-') ++at_;
            if (!read_digits()) return false;
        }
        return finish();
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Expect expect_ = Expect::value;
    std::vector<char> open_; // the closing character of each open container
};

LoadError describe(simdjson::error_code code, const Limits& limits)
{
    switch (code) {
    case simdjson::DEPTH_ERROR:
        return {LoadErrc::limit_exceeded, "",
                limit_message("the nesting of the JSON", "depth", limits.depth)};
    case simdjson::UTF8_ERROR: return {LoadErrc::malformed, "", "the JSON text is not valid UTF-8"};
    case simdjson::EMPTY: return {LoadErrc::malformed, "", "the JSON text is empty"};
    case simdjson::CAPACITY: return {LoadErrc::limit_exceeded, "", "the JSON text is larger than 4 GiB"};
    case simdjson::MEMALLOC: return {LoadErrc::out_of_memory, "", "not enough memory for the JSON text"};
    case simdjson::NUMBER_ERROR: return {LoadErrc::malformed, "", "the JSON text has an invalid number"};
    case simdjson::STRING_ERROR:
    case simdjson::UNCLOSED_STRING:
    case simdjson::UNESCAPED_CHARS: return {LoadErrc::malformed, "", "the JSON text has an invalid string"};
    default: return {LoadErrc::malformed, "", "the text is not JSON: brackets, commas or values are wrong"};
    }
}

// Offset of the first invalid byte; npos if there is none.
std::size_t find_invalid_utf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (size > text.size() - at) return at;
        if (size > 1 && !simdjson::validate_utf8(text.data() + at, size)) return at;
        at += size;
    }
    return std::string_view::npos;
}

std::size_t find_error_offset(simdjson::error_code code, std::string_view text)
{
    if (code == simdjson::UTF8_ERROR) return find_invalid_utf8(text);
    const std::size_t error_offset = find_json_error(text);
    const bool grammar_holds = error_offset == std::string_view::npos;
    return grammar_holds && code == simdjson::NUMBER_ERROR ? repair_json(text).infinite_number : error_offset;
}

} // namespace

std::size_t find_json_error(std::string_view text)
{
    return JsonErrorFinder(text).run();
}

std::string line_and_column(std::string_view text, std::size_t offset)
{
    if (!text.contains('\n')) return fmt::format("byte {}", offset);
    const std::string_view before = text.substr(0, offset);
    const std::size_t line_start = before.rfind('\n') + 1; // npos + 1: the first line
    return fmt::format("line {}, column {}", std::ranges::count(before, '\n') + 1, offset - line_start + 1);
}

std::size_t byte_order_mark(std::string_view text)
{
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? mark.size() : 0;
}

LoadError to_load_error(simdjson::error_code code, std::string_view text, const Limits& limits)
{
    LoadError error = describe(code, limits);
    const std::size_t mark = byte_order_mark(text);
    if (error.code != LoadErrc::malformed || text.size() == mark) return error;
    const std::size_t error_offset = find_error_offset(code, text.substr(mark));
    if (error_offset != std::string_view::npos) error.where = line_and_column(text, mark + error_offset);
    return error;
}

} // namespace vitrine::io
