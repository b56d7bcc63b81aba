// The text container: `Name: value, value { children }`, arrays of version 7 as `Name: *count { a: 1,2,3 }`.

#include <cstring>

#include <fmt/format.h>

#include "loaders/fbx/container/container.hpp"
#include "loaders/fbx/container/text_values.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::fbx {
namespace {

class TextParser {
public:
    TextParser(ElementTree& tree, const Limits& limits)
        : tree_(tree), limits_(limits), at_(reinterpret_cast<const char*>(tree.file.data())),
          last_(at_ + tree.file.size())
    {
        if (std::string_view(at_, tree.file.size()).starts_with("\xEF\xBB\xBF")) at_ += 3;
    }

    LoadResult<void> run();

private:
    void read_element();
    void read_values(std::uint32_t node);
    bool read_value();
    bool reject_later_syntax();
    void skip_list();
    void read_counted_array(std::uint32_t node);
    bool accept(char c);
    std::string_view word();
    // Returns whether the word at `at` is followed by a colon, which makes it the name of the next element.
    bool is_name(const char* at) const;
    void reject(const char* at, LoadErrc code, std::string detail);

    ElementTree& tree_;
    const Limits& limits_;
    const char* at_;
    const char* last_;
    std::vector<OpenElement> open_;
    std::uint64_t list_count_ = 0;
    std::optional<LoadError> error_;
};

void TextParser::reject(const char* at, LoadErrc code, std::string detail)
{
    if (!error_) error_ = LoadError{code, location_of(tree_, at), std::move(detail)};
}

bool TextParser::accept(char c)
{
    at_ = skip_blanks(at_, last_);
    if (at_ == last_ || *at_ != c) return false;
    ++at_;
    return true;
}

std::string_view TextParser::word()
{
    const char* first = at_;
    while (at_ < last_ && !ends_word(*at_))
        ++at_;
    return {first, static_cast<std::size_t>(at_ - first)};
}

bool TextParser::is_name(const char* at) const
{
    while (at < last_ && !ends_word(*at))
        ++at;
    while (at < last_ && (*at == ' ' || *at == '\t'))
        ++at;
    return at < last_ && *at == ':';
}

// Versions from 8000 on have names and values that start with '@', whose meaning is undocumented.
bool TextParser::reject_later_syntax()
{
    if (at_ == last_ || *at_ != '@') return false;
    reject(at_, LoadErrc::unsupported, "names and values with @ (FBX 8) are not supported");
    return true;
}

// Reads one value into the tree; returns false when there is none.
bool TextParser::read_value()
{
    at_ = skip_blanks(at_, last_);
    if (at_ == last_ || *at_ == '{' || *at_ == '}') return false;
    if (*at_ == ',') { // empty value between two commas
        tree_.values.emplace_back();
        return true;
    }
    if (*at_ == '"') {
        const char* first = ++at_;
        const void* quote = std::memchr(first, '"', static_cast<std::size_t>(last_ - first));
        if (quote == nullptr) {
            reject(first, LoadErrc::truncated, "a string has no closing quote");
            return false;
        }
        at_ = static_cast<const char*>(quote) + 1;
        const std::string_view raw(first, static_cast<std::size_t>(at_ - 1 - first));
        tree_.values.emplace_back(resolve_escapes(raw, tree_.texts));
        return true;
    }
    if (is_name(at_)) return false;
    const char* first = at_;
    if (reject_later_syntax()) return false;
    const std::string_view text = word();
    if (text.empty()) {
        reject(first, LoadErrc::malformed, "a value was expected");
        return false;
    }
    tree_.values.push_back(read_number(text).value_or(Value::bare_word(text)));
    return true;
}

// Skips the rest of a list whose first values are stored; counts the values.
void TextParser::skip_list()
{
    bool after_comma = true, new_line = false;
    while (at_ < last_) {
        const char c = *at_;
        if (c == ',') {
            ++list_count_;
            after_comma = true;
            new_line = false;
        } else if (c == '\n' || c == '\r') {
            new_line = true;
        } else if (c == '"') {
            const void* quote = std::memchr(at_ + 1, '"', static_cast<std::size_t>(last_ - at_ - 1));
            if (quote == nullptr) return reject(at_, LoadErrc::truncated, "a string has no closing quote");
            at_ = static_cast<const char*>(quote);
            after_comma = false;
        } else if (c == '{' || c == '}') {
            return;
        } else if (c == ';') {
            at_ = skip_blanks(at_, last_);
            new_line = true;
            continue;
        } else if (static_cast<unsigned char>(c) > ' ') {
            if (new_line && (!after_comma || is_name(at_))) return;
            new_line = after_comma = false;
        }
        ++at_;
    }
}

void TextParser::read_counted_array(std::uint32_t index)
{
    const char* const first = at_ = skip_blanks(at_, last_);
    const auto announced = read_number(word());
    if (!announced) return reject(first, LoadErrc::malformed, "an array has no value count");
    const std::int64_t count = announced->integer();
    const char* const brace = skip_blanks(at_, last_);
    if (brace == last_ || *brace != '{') return;
    const char* inside = skip_blanks(brace + 1, last_);
    if (inside < last_ && *inside == 'a' && is_name(inside)) {
        inside =
            static_cast<const char*>(std::memchr(inside, ':', static_cast<std::size_t>(last_ - inside))) + 1;
        const void* end = std::memchr(inside, '}', static_cast<std::size_t>(last_ - inside));
        if (end == nullptr) return reject(first, LoadErrc::truncated, "the file ends inside an array");
        ElementNode& node = tree_.nodes[index];
        const auto size = static_cast<std::size_t>(static_cast<const char*>(end) - inside);
        node.storage = Storage::text;
        node.bytes = std::as_bytes(std::span(inside, size));
        node.count = std::min<std::uint64_t>(count < 0 ? 0 : static_cast<std::uint64_t>(count), size / 2 + 1);
        at_ = static_cast<const char*>(end) + 1;
    }
}

void TextParser::read_values(std::uint32_t index)
{
    const auto first_value = static_cast<std::uint32_t>(tree_.values.size());
    tree_.nodes[index].first_value = first_value;
    // Maya starts some lists with a comma, as in `Content: , "..."`, without a value before it.
    while (accept(',')) {
    }
    if (accept('*')) return read_counted_array(index);
    const char* const first = at_;
    list_count_ = 0;
    bool more = read_value();
    while (more && !error_) {
        ++list_count_;
        if (!accept(',')) break;
        if (list_count_ == Element::max_inline_values) {
            ++list_count_;
            skip_list();
            break;
        }
        more = read_value();
    }
    ElementNode& node = tree_.nodes[index];
    node.value_count = static_cast<std::uint32_t>(tree_.values.size()) - first_value;
    if (node.value_count == 0) return;
    node.storage = Storage::text;
    node.bytes = std::as_bytes(std::span(first, static_cast<std::size_t>(at_ - first)));
    node.count = list_count_;
}

void TextParser::read_element()
{
    const char* const first = at_;
    if (reject_later_syntax()) return;
    const std::string_view name = word();
    if (!accept(':'))
        return reject(first, LoadErrc::malformed,
                      fmt::format("{} is not followed by a colon", io::shown(name)));
    if (tree_.nodes.size() >= max_elements)
        return reject(first, LoadErrc::limit_exceeded,
                      fmt::format("there are more than {} elements", max_elements));
    const std::uint32_t index = append_child(tree_, open_.back(), name);
    read_values(index);
    if (error_ || !accept('{')) return;
    if (auto deep = nested_too_deep(open_.size(), limits_))
        return reject(first, deep->code, std::move(deep->detail));
    open_.push_back({index, 0, 0});
}

LoadResult<void> TextParser::run()
{
    open_.push_back({0, 0, 0});
    while (!error_) {
        at_ = skip_blanks(at_, last_);
        if (at_ == last_) {
            if (open_.size() == 1) return {};
            reject(at_, LoadErrc::truncated,
                   fmt::format("the file ends inside {}", io::shown(tree_.nodes[open_.back().index].name)));
        } else if (*at_ != '}') {
            read_element();
        } else if (open_.size() == 1) {
            reject(at_, LoadErrc::malformed, "a closing brace has no opening brace");
        } else {
            open_.pop_back();
            ++at_;
        }
    }
    return std::unexpected(*error_);
}

// "; FBX 7.4.0 project file"
std::uint32_t version_of_comment(std::string_view text)
{
    const std::size_t at = text.find("; FBX ");
    if (at == std::string_view::npos || at + 11 > text.size()) return 0;
    std::uint32_t version = 0;
    for (const std::size_t i : {6u, 8u, 10u}) {
        const char c = text[at + i];
        if (c < '0' || c > '9') return 0;
        version = version * 10 + static_cast<std::uint32_t>(c - '0');
    }
    return version * 10;
}

} // namespace

LoadResult<void> parse_text(ElementTree& tree, const Limits& limits)
{
    auto parsed = TextParser(tree, limits).run();
    if (!parsed) return parsed;
    const Element root(&tree, 0);
    const std::int64_t stated = root["FBXHeaderExtension"].integer("FBXVersion");
    const std::string_view head(reinterpret_cast<const char*>(tree.file.data()),
                                std::min<std::size_t>(tree.file.size(), 256));
    tree.version =
        stated > 0 && stated < 100'000 ? static_cast<std::uint32_t>(stated) : version_of_comment(head);
    if (tree.version == 0 && !root["Objects"].exists() && !root["Model"].exists())
        return fail(LoadErrc::malformed, {}, "not an FBX file: neither a version nor objects found");
    if (tree.version == 0) tree.version = 7400;
    return {};
}

} // namespace vitrine::fbx
