#include "loaders/io/text/text_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/io/text/number_scanner.hpp"
#include "loaders/io/text/scan_decimal.hpp"

namespace vitrine::io {
namespace {

enum class CharKind : std::uint8_t { word, space, punctuation, quote, slash };

constexpr std::array<CharKind, 256> char_kinds = [] {
    std::array<CharKind, 256> kinds{};
    for (std::size_t c = 0; c <= ' '; ++c)
        kinds[c] = CharKind::space;
    for (const char c : {'(', ')', '{', '}'})
        kinds[static_cast<unsigned char>(c)] = CharKind::punctuation;
    kinds[std::size_t{'"'}] = CharKind::quote;
    kinds[std::size_t{'/'}] = CharKind::slash;
    return kinds;
}();

CharKind kind_of(char c)
{
    return char_kinds[static_cast<unsigned char>(c)];
}
bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}
bool same_word(std::string_view a, std::string_view b)
{
    return a == b || ascii::equal_ignoring_case(a, b);
}

// The number that fills [first, last); empty if it is not simple. The next character is not part of a number.
std::optional<double> short_number(const char* first, const char* last)
{
    const Decimal decimal = split_decimal(first);
    if (decimal.end != last || !decimal.is_exact()) return std::nullopt;
    return decimal.value();
}

} // namespace

TextReader::TextReader(std::string_view text) : at_(text.data()), last_(text.data() + text.size())
{
    const std::size_t line_end = text.rfind('\n');
    last_line_end_ = text.data() + (line_end == text.npos ? 0 : line_end);
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
    std::optional<double> value;
    if (token_.kind == Token::Kind::word) {
        const char *first = token_.text.data(), *end = first + token_.text.size();
        if (end != last_) value = short_number(first, end);
        if (!value) value = parse_number(token_.text);
    }
    if (!value) {
        unexpected(what);
        return 0.0;
    }
    if (!(std::abs(*value) <= magnitude_limit)) {
        fail(LoadErrc::out_of_range,
             fmt::format("{} is {}, which is not a usable number", what, shown(token_.text)));
        return 0.0;
    }
    advance();
    return *value;
}

std::int64_t TextReader::integer(std::string_view what, std::int64_t min_value, std::int64_t max_value)
{
    const std::string_view text = token_.text;
    const std::uint32_t line = token_.line;
    const double value = number(what);
    if (failed()) return 0;
    const bool is_integer =
        std::abs(value) < 9e15 && value == static_cast<double>(static_cast<std::int64_t>(value));
    if (is_integer && value >= static_cast<double>(min_value) && value <= static_cast<double>(max_value)) {
        return static_cast<std::int64_t>(value);
    }
    fail_at(
        line, LoadErrc::out_of_range,
        fmt::format("{} is {}, expected an integer from {} to {}", what, shown(text), min_value, max_value));
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

void TextReader::unexpected(std::string_view expected)
{
    if (failed()) return;
    if (at_end()) return fail(LoadErrc::truncated, fmt::format("the file ends where {} should be", expected));
    fail(LoadErrc::malformed, fmt::format("{} should be here instead of {}", expected, shown(token_.text)));
}

bool TextReader::take_pattern(std::string_view pattern, double* out)
{
    if (token_.kind != Token::Kind::word && token_.kind != Token::Kind::punctuation) return false;
    if (token_.text.data() >= last_line_end_) return false;
    const char* p = token_.text.data();
    for (const char what : pattern) {
        while (is_blank(*p))
            ++p;
        if (what == '(' || what == ')') {
            if (*p++ != what) return false;
            continue;
        }
        const Decimal number = split_decimal(p);
        const CharKind after = kind_of(*number.end);
        const bool ends = after == CharKind::space || after == CharKind::punctuation;
        if (!ends || !number.is_exact()) return false;
        const double value = number.value();
        if (what == 'i' ? number.negative || number.has_point || value > 0xFFFF'FFFF
                        : std::abs(value) > max_pattern_number) {
            return false;
        }
        *out++ = value;
        p = number.end;
    }
    at_ = p;
    advance();
    return true;
}

void TextReader::advance()
{
    comment_ = {};
    do {
        skip_space();
    } while (at_ != last_ && *at_ == '/' && skip_comment());
    token_ = Token{.line = line_};
    if (at_ == last_) return;
    const CharKind kind = kind_of(*at_);
    if (kind == CharKind::quote) return scan_quoted();
    const char* first = at_++;
    token_.kind = kind == CharKind::punctuation ? Token::Kind::punctuation : Token::Kind::word;
    while (token_.kind == Token::Kind::word && !at_word_end())
        ++at_;
    token_.text = {first, at_};
}

bool TextReader::at_word_end() const
{
    if (at_ == last_) return true;
    const CharKind kind = kind_of(*at_);
    if (kind != CharKind::slash) return kind != CharKind::word;
    return at_ + 1 != last_ && (at_[1] == '/' || at_[1] == '*');
}

void TextReader::skip_space()
{
    for (; at_ != last_ && kind_of(*at_) == CharKind::space; ++at_) {
        // A lone CR ends a line as well; in CR LF only the LF counts.
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
    const std::string_view comment = rest.substr(0, close == rest.npos ? rest.size() : close + 2);
    line_ += static_cast<std::uint32_t>(std::ranges::count(comment, '\n'));
    at_ += comment.size();
    return true;
}

// An unclosed string ends at the end of its line.
void TextReader::scan_quoted()
{
    const std::string_view rest(at_ + 1, last_);
    const std::size_t length = std::min(rest.find_first_of("\"\r\n"), rest.size());
    token_.kind = Token::Kind::quoted;
    token_.text = rest.substr(0, length);
    at_ += 1 + length + (length < rest.size() && rest[length] == '"' ? 1 : 0);
}

} // namespace vitrine::io
