#include "loaders/md3/config_rows.hpp"

#include <utility>

namespace vitrine::md3 {
namespace {

bool is_between(char c)
{
    return static_cast<unsigned char>(c) <= ' ' || c == ',' || c == '"';
}

bool is_comment(std::string_view rest)
{
    return rest.starts_with("//") || rest.starts_with("/*");
}

std::string_view line_of(std::string_view text)
{
    return text.substr(0, text.find_first_of("\r\n"));
}

class Splitter {
public:
    explicit Splitter(std::string_view text) : rest_(text) {}

    ConfigWords run()
    {
        while (!rest_.empty()) {
            if (is_comment(rest_))
                take_comment();
            else if (is_between(rest_.front()))
                pass(1);
            else
                take_word();
        }
        return {std::move(words_), open_comment_};
    }

private:
    void pass(std::size_t size)
    {
        for (; size > 0; --size) {
            const bool begins_pair = rest_.starts_with("\r\n");
            if (!begins_pair && (rest_.front() == '\n' || rest_.front() == '\r')) ++line_;
            rest_.remove_prefix(1);
        }
    }

    std::string_view next_comment()
    {
        if (rest_.starts_with("//")) return line_of(rest_);
        const std::size_t close = rest_.find("*/", 2);
        if (close != rest_.npos) return rest_.substr(0, close + 2);
        open_comment_ = line_;
        return rest_;
    }

    // Only searches text that is also consumed: searching the line end from each of many comments would take
    // quadratic time.
    void take_comment()
    {
        const std::string_view whole = next_comment();
        if (!words_.empty() && words_.back().line == line_) {
            std::string_view& comment = words_.back().comment;
            const char* begin = comment.empty() ? whole.data() : comment.data();
            const std::string_view shown = line_of(whole);
            comment = {begin, static_cast<std::size_t>(shown.data() + shown.size() - begin)};
        }
        pass(whole.size());
    }

    void take_word()
    {
        std::size_t size = 1;
        while (size < rest_.size() && !is_between(rest_[size]) && !is_comment(rest_.substr(size)))
            ++size;
        words_.push_back({rest_.substr(0, size), {}, line_});
        rest_.remove_prefix(size);
    }

    std::string_view rest_;
    std::uint32_t line_ = 1;
    std::vector<ConfigWord> words_;
    std::uint32_t open_comment_ = 0;
};

} // namespace

ConfigWords split_config(std::string_view text)
{
    return Splitter(text).run();
}

} // namespace vitrine::md3
