#include <algorithm>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/bvh/parser.hpp"

namespace vitrine::bvh {
namespace {

bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

// Control characters count as blanks.
bool is_blank(char c)
{
    return (static_cast<unsigned char>(c) <= ' ' && !is_line_end(c)) || c == ':';
}

bool is_brace(char c)
{
    return c == '{' || c == '}';
}

bool ends_word(char c)
{
    return is_blank(c) || is_line_end(c) || is_brace(c);
}

bool is_space(char c)
{
    return static_cast<unsigned char>(c) <= ' ';
}

std::size_t word_end(std::string_view text, std::size_t at)
{
    if (at < text.size() && is_brace(text[at])) return at + 1;
    while (at < text.size() && !ends_word(text[at]))
        ++at;
    return at;
}

} // namespace

void WordReader::pass_line_end()
{
    const bool is_pair = text_.substr(at_).starts_with("\r\n");
    at_ += is_pair ? 2 : 1;
    ++line_;
}

void WordReader::skip_separators()
{
    while (at_ < text_.size()) {
        if (is_line_end(text_[at_]))
            pass_line_end();
        else if (is_blank(text_[at_]))
            ++at_;
        else
            break;
    }
}

std::string_view WordReader::peek()
{
    skip_separators();
    return text_.substr(at_, word_end(text_, at_) - at_);
}

std::string_view WordReader::next()
{
    const std::string_view word = peek();
    at_ += word.size();
    word_line_ = line_;
    return word;
}

bool WordReader::accept(std::string_view word)
{
    if (!ascii::equal_ignoring_case(peek(), word)) return false;
    next();
    return true;
}

std::string_view WordReader::read_name()
{
    const std::size_t first = at_;
    while (at_ < text_.size() && !is_line_end(text_[at_]) && !is_brace(text_[at_]))
        ++at_;
    return ascii::trimmed(text_.substr(first, at_ - first), is_space);
}

bool WordReader::has_more_in_line()
{
    while (at_ < text_.size() && is_blank(text_[at_]))
        ++at_;
    return at_ < text_.size() && !is_line_end(text_[at_]);
}

std::uint64_t WordReader::count_in_line()
{
    WordReader ahead = *this;
    std::uint64_t count = 0;
    for (; ahead.has_more_in_line(); ++count)
        ahead.next();
    return count;
}

void WordReader::skip_line()
{
    while (at_ < text_.size() && !is_line_end(text_[at_]))
        ++at_;
}

std::string WordReader::where() const
{
    return fmt::format("line {}", word_line_);
}

} // namespace vitrine::bvh
