#include "loaders/io/xml/xml_lexer.hpp"
#include "loaders/base/ascii.hpp"
#include "loaders/io/limits.hpp"

#include <algorithm>

#include <fmt/format.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace vitrine::io {
namespace {

// Shorter ranges are cheaper to copy than to record.
constexpr std::size_t min_run = 96;
// A parser node takes 64 bytes.
constexpr std::uint64_t max_elements = 32'000'000;

struct TextRun {
    std::size_t size;
    bool has_entity; // contains '&'
};

// The text before the next '<'. Both characters are searched in one pass, since the text is read from memory.
TextRun plain_run(std::string_view text)
{
    bool has_entity = false;
    std::size_t at = 0;
#if defined(__x86_64__)
    const __m128i less = _mm_set1_epi8('<'), ampersand = _mm_set1_epi8('&');
    for (; text.size() - at >= 64; at += 64) {
        __m128i ends = _mm_setzero_si128(), entities = ends;
        for (std::size_t part = 0; part < 64; part += 16) {
            const __m128i chars = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at + part));
            ends = _mm_or_si128(ends, _mm_cmpeq_epi8(chars, less));
            entities = _mm_or_si128(entities, _mm_cmpeq_epi8(chars, ampersand));
        }
        if (_mm_movemask_epi8(ends) != 0) break;
        has_entity = has_entity || _mm_movemask_epi8(entities) != 0;
    }
#endif
    for (; at < text.size() && text[at] != '<'; ++at)
        has_entity = has_entity || text[at] == '&';
    return {at, has_entity};
}

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
                return reject(limit_message("the nesting of elements", "depth", depth_));
            if (elements_ > max_elements)
                return reject(fmt::format("more than {} elements, which is the maximum", max_elements));
        }
        copy_until(text_.size());
        return std::move(out_);
    }

private:
    std::unexpected<LoadError> reject(std::string detail) const
    {
        return fail(LoadErrc::limit_exceeded, line_of(text_, at_), std::move(detail));
    }

    void copy_until(std::size_t end)
    {
        out_.copy.append(text_, copied_, end - copied_);
        copied_ = end;
    }

    // Takes text up to the next '<'. Text after the last markup is not part of an element.
    void take_text()
    {
        const auto [size, has_entity] = plain_run(text_.substr(at_));
        const bool ends = at_ + size < text_.size();
        const std::string_view run = text_.substr(at_, size);
        const bool divides = ends && is_beside_piece(size) && ascii::trimmed(run).empty();
        if (ends && !has_entity && (size >= min_run || divides)) leave_out(run, divides);
        at_ += size;
    }

    // The parser ignores white space alone, but between two pieces of text it must be kept.
    bool is_beside_piece(std::size_t size) const
    {
        if (size == 0 || out_.open.empty()) return false;
        const std::string_view next = text_.substr(at_ + size, 2);
        return behind_piece_ || next == "<!" || next == "<?";
    }

    void leave_out(std::string_view run, bool divides)
    {
        copy_until(at_);
        removed_ += run.size();
        copied_ += run.size();
        if (!divides && ascii::trimmed(run).empty()) return;
        removed_ -= 1;
        out_.elided.push_back({out_.copy.size(), removed_, run});
        out_.copy += placeholder;
    }

    bool starts(std::string_view mark) const { return text_.substr(at_).starts_with(mark); }

    // Advances past `mark`; returns false if the text ends before it.
    bool skip_to(std::string_view mark, std::size_t from)
    {
        const std::size_t end = text_.find(mark, at_ + from);
        if (end == std::string_view::npos) return false;
        at_ = end + mark.size();
        return true;
    }

    bool take_markup()
    {
        // after comments, CDATA and instructions the text may continue
        behind_piece_ = starts("<!") || starts("<?");
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
    bool behind_piece_ = false;
};

} // namespace

std::size_t CompactXml::offset_in_text(std::size_t offset_in_copy) const
{
    const auto after = std::ranges::upper_bound(elided, offset_in_copy, {}, &ElidedText::at);
    return offset_in_copy + (after == elided.begin() ? 0 : std::prev(after)->removed_before);
}

std::string line_of(std::string_view text, std::size_t offset)
{
    constexpr std::size_t piece_bytes = 255; // counts of a piece fit into bytes, of which a vector holds many
    std::size_t lines = 1;
    for (auto rest = text.substr(0, offset); !rest.empty();
         rest.remove_prefix(std::min(piece_bytes, rest.size()))) {
        std::uint8_t in_piece = 0;
        for (const char c : rest.substr(0, piece_bytes))
            in_piece = static_cast<std::uint8_t>(in_piece + (c == '\n'));
        lines += in_piece;
    }
    return fmt::format("line {}", lines);
}

LoadResult<CompactXml> compact_xml(std::string_view text, std::uint32_t depth)
{
    return Lexer(text, depth).run();
}

} // namespace vitrine::io
