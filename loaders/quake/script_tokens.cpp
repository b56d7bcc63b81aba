#include "loaders/quake/script_tokens.hpp"

#include <algorithm>

namespace vitrine::quake {
namespace {

bool is_blank(char c)
{
    return static_cast<unsigned char>(c) <= ' ';
}

bool is_brace(char c)
{
    return c == '{' || c == '}';
}

} // namespace

bool ScriptWords::skip_blanks()
{
    const std::size_t before = at_;
    for (; at_ < text_.size() && is_blank(text_[at_]); ++at_)
        at_line_start_ |= text_[at_] == '\n' || text_[at_] == '\r';
    return at_ > before;
}

bool ScriptWords::skip_comment()
{
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("//")) {
        at_ += std::min(rest.find_first_of("\r\n"), rest.size());
        return true;
    }
    if (!rest.starts_with("/*")) return false;
    const std::size_t end = rest.find("*/", 2);
    at_ += end == rest.npos ? rest.size() : end + 2;
    return true;
}

std::string_view ScriptWords::take_quoted()
{
    const std::size_t begin = ++at_;
    const std::size_t end = std::min(text_.find_first_of("\"\r\n", begin), text_.size());
    at_ = end < text_.size() && text_[end] == '"' ? end + 1 : end;
    return text_.substr(begin, end - begin);
}

ScriptWords::Word ScriptWords::next()
{
    for (;;) {
        while (skip_blanks() || skip_comment()) {
        }
        if (at_ == text_.size()) return {};
        Word word{.text = {}, .starts_line = at_line_start_};
        at_line_start_ = false;
        const std::size_t begin = at_;
        if (text_[at_] == '"') {
            word.text = take_quoted();
            if (word.text.empty()) continue;
            return word;
        }
        ++at_;
        if (!is_brace(text_[begin]))
            while (at_ < text_.size() && !is_blank(text_[at_]) && !is_brace(text_[at_]))
                ++at_;
        word.text = text_.substr(begin, at_ - begin);
        return word;
    }
}

} // namespace vitrine::quake
