#include "loaders/io/xml/xml_text.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/io/xml/xml_lexer.hpp"

namespace vitrine::io {
namespace {

// Limits of the size added by expansion and of the number of references, as fractions of file_bytes (16 MB
// and a million for 2 GB). Legitimate files share a path or a few numbers through entities; larger growth is
// an attack.
constexpr std::uint64_t max_growth_divisor = 128;
constexpr std::uint64_t reference_share = 2048;
constexpr std::size_t max_name_bytes = 256;

constexpr std::array<std::string_view, 5> predefined{"lt", "gt", "amp", "apos", "quot"};

// Position after `mark`, searched from `from`; the end of the text if it is missing.
std::size_t skip_past(std::string_view text, std::string_view mark, std::size_t from)
{
    const std::size_t at = text.find(mark, from);
    return at == std::string_view::npos ? text.size() : at + mark.size();
}

// Position after a comment, a CDATA section or a processing instruction, whose content is not markup; `at` if
// none starts there.
std::size_t skip_raw(std::string_view text, std::size_t at)
{
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<!--")) return skip_past(text, "-->", at + 4);
    if (rest.starts_with("<![CDATA[")) return skip_past(text, "]]>", at + 9);
    if (rest.starts_with("<?")) return skip_past(text, "?>", at + 2);
    return at;
}

// The name between '&' at `at` and ';'; empty otherwise.
std::string_view reference_at(std::string_view text, std::size_t at)
{
    const std::string_view rest = text.substr(at + 1, max_name_bytes + 1);
    const std::size_t end = rest.find_first_of("; \t\r\n<&\"'");
    return end == std::string_view::npos || rest[end] != ';' ? std::string_view() : rest.substr(0, end);
}

// Character references are resolved when an entity is declared.
std::string with_characters(std::string_view value)
{
    std::string out;
    for (std::size_t at = 0; at < value.size();) {
        const std::string_view name = value[at] == '&' ? reference_at(value, at) : std::string_view();
        if (!name.starts_with('#')) {
            out += value[at++];
            continue;
        }
        const bool hexadecimal = name.starts_with("#x");
        std::uint32_t code = 0;
        for (const char c : name.substr(hexadecimal ? 2 : 1)) {
            const char low = static_cast<char>(c | 0x20);
            const std::uint32_t digit = c >= '0' && c <= '9' ? static_cast<std::uint32_t>(c - '0')
                                        : low >= 'a' && low <= 'f'
                                            ? static_cast<std::uint32_t>(low - 'a') + 10
                                            : 0;
            code = std::min<std::uint32_t>(code * (hexadecimal ? 16 : 10) + digit, 0x110000);
        }
        append_utf8(out, code);
        at += name.size() + 2;
    }
    return out;
}

class Entities {
public:
    Entities(std::string_view text, std::uint64_t file_bytes) : text_(text), file_bytes_(file_bytes) {}

    LoadResult<std::optional<ExpandedXml>> run()
    {
        if (!find_document_type() || !read_declarations()) return std::nullopt;
        out_.text.assign(text_.substr(0, at_));
        if (auto done = expand(); !done) return std::unexpected(done.error());
        return std::optional(std::move(out_));
    }

private:
    using EntityValues = std::unordered_map<std::string_view, std::string, StringHash>;
    struct Level {
        std::string_view text;
        std::size_t at = 0;
        const std::string* value = nullptr; // value of the entity being expanded
    };

    bool starts(std::string_view mark) const { return text_.substr(at_).starts_with(mark); }
    void skip_space()
    {
        while (at_ < text_.size() && ascii::is_space(text_[at_]))
            ++at_;
    }

    // It precedes the first element if it exists.
    bool find_document_type()
    {
        while (skip_space(), at_ < text_.size() && !starts("<!DOCTYPE")) {
            const std::size_t next = skip_raw(text_, at_);
            if (next == at_) return false;
            at_ = next;
        }
        return at_ < text_.size();
    }

    std::string_view word()
    {
        skip_space();
        const std::size_t first = at_;
        while (at_ < text_.size() && !ascii::is_space(text_[at_]) && text_[at_] != '>' && text_[at_] != '"' &&
               text_[at_] != '\'')
            ++at_;
        return text_.substr(first, at_ - first);
    }

    std::string_view quoted()
    {
        const std::size_t first = at_ + 1, end = skip_past(text_, text_.substr(at_, 1), first);
        at_ = end;
        return text_.substr(first, end > first ? end - first - 1 : 0);
    }

    // Leaves at_ after the document type. Returns false if it declares nothing or is not terminated.
    bool read_declarations()
    {
        int nesting = 0;
        while (at_ < text_.size()) {
            if (const std::size_t next = skip_raw(text_, at_); next != at_) {
                at_ = next;
            } else if (starts("<!ENTITY")) {
                ++nesting;
                at_ += 8;
                declare();
            } else if (text_[at_] == '"' || text_[at_] == '\'') {
                quoted();
            } else {
                const char c = text_[at_++];
                nesting += c == '<' ? 1 : 0;
                if (c == '>' && --nesting == 0) return declares_;
            }
        }
        return false;
    }

    // The first declaration of a name counts. Parameter entities (%) are used in document types only.
    void declare()
    {
        const std::string_view name = word();
        if (name == "%") return;
        declares_ = true;
        skip_space();
        if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\''))
            values_.try_emplace(name, with_characters(quoted()));
    }

    // Copies up to the next reference of the innermost entity. Returns false at its end.
    bool copy_plain()
    {
        Level& level = levels_.back();
        const std::size_t first = level.at;
        while (level.at < level.text.size()) {
            if (level.text[level.at] == '&') break;
            const std::size_t raw = level.text[level.at] == '<' ? skip_raw(level.text, level.at) : level.at;
            level.at = raw != level.at
                           ? raw
                           : std::min(level.text.find_first_of("<&", level.at + 1), level.text.size());
        }
        out_.text.append(level.text, first, level.at - first);
        return level.at < level.text.size();
    }

    LoadResult<void> expand()
    {
        levels_.push_back({.text = text_, .at = at_});
        while (!levels_.empty()) {
            if (!copy_plain()) {
                levels_.pop_back();
                continue;
            }
            Level& level = levels_.back();
            const std::string_view name = reference_at(level.text, level.at);
            const auto entity = values_.find(name);
            level.at += name.size() + (name.empty() ? 1 : 2);
            if (entity == values_.end()) {
                keep(name);
                continue;
            }
            if (auto entered = enter(entity->first, entity->second); !entered) return entered;
        }
        return {};
    }

    void keep(std::string_view name)
    {
        out_.text += '&';
        if (name.empty()) return;
        out_.text.append(name) += ';';
        const bool is_predefined =
            name.starts_with('#') || std::ranges::find(predefined, name) != predefined.end();
        if (!is_predefined && out_.unknown.empty()) out_.unknown = name;
    }

    LoadResult<void> enter(std::string_view name, const std::string& value)
    {
        const auto reject = [&](LoadErrc code, std::string detail) {
            return fail(code, line_of(text_, levels_.front().at), std::move(detail));
        };
        for (const Level& level : levels_)
            if (level.value == &value)
                return reject(LoadErrc::malformed, fmt::format("the entity {} contains itself", shown(name)));
        if (const std::uint64_t max_count = file_bytes_ / reference_share; ++references_ > max_count)
            return reject(
                LoadErrc::limit_exceeded,
                fmt::format("more than {} references to entities, 1/{} of the limit file_bytes = {}",
                            max_count, reference_share, file_bytes_));
        added_ += value.size();
        if (const std::uint64_t max_count = file_bytes_ / max_growth_divisor; added_ > max_count)
            return reject(
                LoadErrc::limit_exceeded,
                fmt::format(
                    "the XML's entities expand to more than {} bytes, 1/{} of the limit file_bytes = {}",
                    max_count, max_growth_divisor, file_bytes_));
        levels_.push_back({.text = value, .at = 0, .value = &value});
        return {};
    }

    std::string_view text_;
    std::uint64_t file_bytes_;
    std::size_t at_ = 0;
    bool declares_ = false;
    EntityValues values_;
    std::vector<Level> levels_;
    std::uint64_t added_ = 0, references_ = 0;
    ExpandedXml out_;
};

} // namespace

LoadResult<std::optional<ExpandedXml>> expand_entities(std::string_view text, const Limits& limits)
{
    return Entities(text, limits.file_bytes).run();
}

} // namespace vitrine::io
