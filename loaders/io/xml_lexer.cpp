#include "loaders/io/xml_lexer.hpp"
#include "loaders/scene/ascii.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace vitrine::io {
namespace {

// Shorter runs cost less to copy than to remember.
constexpr std::size_t least_run = 96;
// A node of the parser takes 64 bytes.
constexpr std::uint64_t most_elements = 32'000'000;

class Lexer {
public:
    Lexer(std::string_view text, std::uint32_t depth) : text_(text), depth_(depth) {}

    LoadResult<CompactXml> run()
    {
        while (at_ < text_.size()) {
            take_text();
            if (at_ == text_.size()) break;
            if (const std::size_t begin = at_; !take_markup()) {
                out_.cut_at = begin;
                at_ = text_.size();
            }
            if (out_.open.size() > depth_)
                return refuse(fmt::format("elements are nested deeper than the limit depth = {}", depth_));
            if (elements_ > most_elements)
                return refuse(fmt::format("more than {} elements, the most there may be", most_elements));
        }
        copy_until(text_.size());
        return std::move(out_);
    }

private:
    std::unexpected<LoadError> refuse(std::string detail) const
    {
        return fail(LoadErrc::limit_exceeded, line_of(text_, at_), std::move(detail));
    }

    void copy_until(std::size_t end)
    {
        out_.copy.append(text_, copied_, end - copied_);
        copied_ = end;
    }

    // Up to the next '<'. A run that ends the file stays: it is no element's. In parts that the processor's
    // first cache keeps, for both characters are looked for.
    void take_text()
    {
        constexpr std::size_t part = 16'384;
        const std::size_t begin = at_;
        bool has_entity = false, ends = false;
        while (!ends && at_ < text_.size()) {
            const std::size_t most = std::min(part, text_.size() - at_);
            const char* first = text_.data() + at_;
            const auto* found = static_cast<const char*>(std::memchr(first, '<', most));
            const std::size_t size = found == nullptr ? most : static_cast<std::size_t>(found - first);
            has_entity = has_entity || std::memchr(first, '&', size) != nullptr;
            at_ += size;
            ends = found != nullptr;
        }
        const std::size_t size = at_ - begin;
        if (size < least_run || !ends || has_entity) return;
        at_ = begin;
        leave_out(text_.substr(begin, size));
        at_ += size;
    }

    void leave_out(std::string_view run)
    {
        const std::string_view text = ascii::trimmed(run);
        copy_until(at_);
        removed_ += run.size();
        copied_ += run.size();
        if (text.empty()) return;
        removed_ -= 1;
        out_.left_out.push_back({out_.copy.size(), removed_, text});
        out_.copy += placeholder;
    }

    bool starts(std::string_view mark) const { return text_.substr(at_).starts_with(mark); }

    // Behind the mark that ends what begins here; false where the text ends before it.
    bool skip_to(std::string_view mark, std::size_t from)
    {
        const std::size_t end = text_.find(mark, at_ + from);
        if (end == std::string_view::npos) return false;
        at_ = end + mark.size();
        return true;
    }

    bool take_markup()
    {
        if (starts("<!--")) return skip_to("-->", 4);
        if (starts("<![CDATA[")) return skip_to("]]>", 9);
        if (starts("<?")) return skip_to("?>", 2);
        if (starts("<!")) return skip_declaration();
        return take_tag();
    }

    // <!DOCTYPE ... [ <!ENTITY ...> ]>
    bool skip_declaration()
    {
        int nesting = 0;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '"' || c == '\'') {
                at_ = text_.find(c, at_ + 1);
                if (at_ == std::string_view::npos) return false;
            } else if (c == '<') {
                ++nesting;
            } else if (c == '>' && --nesting == 0) {
                return ++at_, true;
            }
        }
        return false;
    }

    bool take_tag()
    {
        const bool closes = starts("</");
        for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
            const char c = text_[i];
            if (c == '"' || c == '\'') {
                i = text_.find(c, i + 1);
                if (i == std::string_view::npos) return false;
            } else if (c == '>') {
                const bool empty = text_[i - 1] == '/';
                elements_ += closes ? 0 : 1;
                if (closes && !out_.open.empty())
                    out_.open.pop_back();
                else if (!closes && !empty)
                    out_.open.push_back(at_);
                at_ = i + 1;
                return true;
            }
        }
        return false;
    }

    static constexpr char placeholder = '\x02';

    std::string_view text_;
    std::uint32_t depth_;
    CompactXml out_;
    std::size_t at_ = 0, copied_ = 0, removed_ = 0;
    std::uint64_t elements_ = 0;
};

} // namespace

std::size_t CompactXml::offset_in_text(std::size_t offset_in_copy) const
{
    const auto after = std::ranges::upper_bound(left_out, offset_in_copy, {}, &LeftOut::at);
    return offset_in_copy + (after == left_out.begin() ? 0 : std::prev(after)->removed_before);
}

std::string line_of(std::string_view text, std::size_t offset)
{
    return fmt::format("line {}", 1 + std::ranges::count(text.substr(0, offset), '\n'));
}

LoadResult<CompactXml> compact_xml(std::string_view text, std::uint32_t depth)
{
    return Lexer(text, depth).run();
}

} // namespace vitrine::io
