#include "loaders/io/text_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

namespace vitrine::io {
namespace {

bool is_space(char c)
{
    return static_cast<unsigned char>(c) <= ' ';
}
bool is_punctuation(char c)
{
    return c == '(' || c == ')' || c == '{' || c == '}';
}
char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

bool same_word(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

// Unpaired surrogates become U+FFFD.
void utf16_to_utf8(Bytes bytes, bool big_endian, std::string& out)
{
    const auto unit = [&](std::size_t i) {
        const auto a = std::to_integer<std::uint32_t>(bytes[i]),
                   b = std::to_integer<std::uint32_t>(bytes[i + 1]);
        return big_endian ? a << 8 | b : b << 8 | a;
    };
    out.reserve(bytes.size() / 2);
    for (std::size_t i = 2; i + 1 < bytes.size(); i += 2) {
        std::uint32_t code = unit(i);
        const bool high = code >= 0xD800 && code < 0xDC00;
        if (high && i + 3 < bytes.size() && unit(i + 2) >= 0xDC00 && unit(i + 2) < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (unit(i + 2) - 0xDC00);
            i += 2;
        } else if (code >= 0xD800 && code < 0xE000) {
            code = 0xFFFD;
        }
        append_utf8(out, code);
    }
}

// The first `most` bytes, fewer where they would end inside a character of UTF-8.
std::string_view cut(std::string_view text, std::size_t most)
{
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80)
        --most;
    return text.substr(0, most);
}

} // namespace

std::string_view as_text(Bytes bytes, std::string& storage)
{
    const auto starts = [&](std::initializer_list<unsigned> mark) {
        return bytes.size() >= mark.size() &&
               std::ranges::equal(mark, bytes.first(mark.size()),
                                  [](unsigned a, std::byte b) { return a == std::to_integer<unsigned>(b); });
    };
    if (starts({0xFE, 0xFF}) || starts({0xFF, 0xFE})) {
        storage.clear();
        utf16_to_utf8(bytes, starts({0xFE, 0xFF}), storage);
        return storage;
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return starts({0xEF, 0xBB, 0xBF}) ? text.substr(3) : text;
}

std::string shown(std::string_view text)
{
    constexpr std::size_t most = 40;
    const std::string out = to_utf8(cut(text, 4 * most));
    if (out.size() <= most) return "'" + out + "'";
    return fmt::format("'{}...'", cut(out, most));
}

ScannedNumber scan_number(const char* first, const char* last)
{
    const char* digits = first;
    if (digits != last && *digits == '+') ++digits;
    if (digits != first && digits != last && *digits == '-') return {.end = first};
    double value = 0.0;
    const auto result = fast_float::from_chars(digits, last, value);
    return {value, result.ptr == digits ? first : result.ptr};
}

std::optional<double> parse_number(std::string_view text)
{
    const ScannedNumber number = scan_number(text.data(), text.data() + text.size());
    if (text.empty() || number.end != text.data() + text.size()) return std::nullopt;
    return number.value;
}

TextReader::TextReader(std::string_view text) : at_(text.data()), last_(text.data() + text.size())
{
    advance();
}

Token TextReader::next()
{
    const Token token = token_;
    advance();
    return token;
}

bool TextReader::accept(std::string_view word)
{
    const bool plain = token_.kind == Token::Kind::word || token_.kind == Token::Kind::punctuation;
    if (!plain || !same_word(token_.text, word)) return false;
    advance();
    return true;
}

void TextReader::expect(std::string_view word)
{
    if (!accept(word)) unexpected(shown(word));
}

double TextReader::number(std::string_view what, double magnitude_limit)
{
    const auto value = token_.kind == Token::Kind::word ? parse_number(token_.text) : std::nullopt;
    if (!value) {
        unexpected(what);
        return 0.0;
    }
    if (!(std::abs(*value) <= magnitude_limit)) {
        fail(LoadErrc::out_of_range,
             fmt::format("{} is {}, which is no usable number", what, shown(token_.text)));
        return 0.0;
    }
    advance();
    return *value;
}

std::int64_t TextReader::integer(std::string_view what, std::int64_t least, std::int64_t most)
{
    const std::string_view text = token_.text;
    const std::uint32_t line = token_.line;
    const double value = number(what);
    if (failed()) return 0;
    const bool whole = std::abs(value) < 9e15 && value == std::floor(value);
    if (whole && value >= static_cast<double>(least) && value <= static_cast<double>(most)) {
        return static_cast<std::int64_t>(value);
    }
    fail_at(line, LoadErrc::out_of_range,
            fmt::format("{} is {}, expected a whole number from {} to {}", what, shown(text), least, most));
    return 0;
}

std::string_view TextReader::string(std::string_view what)
{
    if (token_.kind == Token::Kind::word || token_.kind == Token::Kind::quoted) return next().text;
    unexpected(what);
    return {};
}

void TextReader::skip_line()
{
    const std::uint32_t line = token_.line;
    while (!at_end() && token_.line == line)
        advance();
}

void TextReader::fail(LoadErrc code, std::string detail)
{
    fail_at(token_.line, code, std::move(detail));
}

void TextReader::fail_at(std::uint32_t line, LoadErrc code, std::string detail)
{
    if (!error_) error_ = LoadError{code, fmt::format("line {}", line), std::move(detail)};
    token_ = Token{.line = token_.line};
    at_ = last_;
}

void TextReader::unexpected(std::string_view wanted)
{
    if (failed()) return;
    if (at_end()) return fail(LoadErrc::truncated, fmt::format("the file ends where {} should be", wanted));
    fail(LoadErrc::malformed, fmt::format("{} should be here instead of {}", wanted, shown(token_.text)));
}

void TextReader::advance()
{
    comment_ = {};
    do {
        skip_space();
    } while (skip_comment());
    token_ = Token{.line = line_};
    if (at_ == last_) return;
    if (*at_ == '"') return scan_quoted();
    const char* first = at_++;
    token_.kind = is_punctuation(*first) ? Token::Kind::punctuation : Token::Kind::word;
    while (token_.kind == Token::Kind::word && !at_word_end())
        ++at_;
    token_.text = {first, at_};
}

bool TextReader::at_word_end() const
{
    if (at_ == last_ || is_space(*at_) || is_punctuation(*at_) || *at_ == '"') return true;
    return *at_ == '/' && at_ + 1 != last_ && (at_[1] == '/' || at_[1] == '*');
}

void TextReader::skip_space()
{
    for (; at_ != last_ && is_space(*at_); ++at_) {
        // A lone CR ends a line as well; of CR LF only the LF counts.
        if (*at_ == '\n' || (*at_ == '\r' && (at_ + 1 == last_ || at_[1] != '\n'))) ++line_;
    }
}

bool TextReader::skip_comment()
{
    const std::string_view rest(at_, last_);
    if (rest.starts_with("//")) {
        const std::size_t length = std::min(rest.find_first_of("\r\n"), rest.size());
        comment_ = rest.substr(2, length - 2);
        at_ += length;
        return true;
    }
    if (!rest.starts_with("/*")) return false;
    const std::size_t close = rest.find("*/", 2);
    const std::string_view whole = rest.substr(0, close == rest.npos ? rest.size() : close + 2);
    line_ += static_cast<std::uint32_t>(std::ranges::count(whole, '\n'));
    at_ += whole.size();
    return true;
}

// An unclosed string ends with its line.
void TextReader::scan_quoted()
{
    const std::string_view rest(at_ + 1, last_);
    const std::size_t length = std::min(rest.find_first_of("\"\r\n"), rest.size());
    token_.kind = Token::Kind::quoted;
    token_.text = rest.substr(0, length);
    at_ += 1 + length + (length < rest.size() && rest[length] == '"' ? 1 : 0);
}

} // namespace vitrine::io
