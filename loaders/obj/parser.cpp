#include "loaders/obj/parser.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/obj/scan.hpp"

namespace vitrine::obj {
namespace {

// Returns the length up to and including the last line end without a preceding backslash: the part that the
// inner loops can read without end checks.
std::size_t safe_length(std::string_view text)
{
    for (std::size_t at = text.size(); at-- > 0;) {
        if (text[at] != '\n') continue;
        const std::size_t before = at > 0 && text[at - 1] == '\r' ? at - 1 : at;
        if (before == 0 || text[before - 1] != '\\') return at + 1;
    }
    return 0;
}

constexpr std::ptrdiff_t prefetch_distance = 2048; // characters, about thirty lines

} // namespace

LoadResult<Document> parse_document(std::string_view text, const std::string& stem, const Limits& limits,
                                    io::WarningLog& warnings)
{
    Parser parser(stem, limits, warnings);
    parser.run(text, Parser::Pass::all);
    if (!parser.needs_second_pass()) return parser.finish();
    warnings.take(); // the second pass reports them again
    Parser again(stem, limits, warnings);
    again.run(text, Parser::Pass::attributes);
    again.run(text, Parser::Pass::elements);
    return again.finish();
}

Parser::Parser(const std::string& stem, const Limits& limits, io::WarningLog& warnings)
    : limits_(limits), warnings_(warnings)
{
    begin_part(stem);
}

void Parser::run(std::string_view text, Pass pass)
{
    pass_ = pass;
    line_ = 1;
    positions_ = uvs_ = normals_ = 0;
    const std::size_t safe = safe_length(text.substr(0, text.size() - std::min(text.size(), padding)));
    run_region(text.data(), text.data() + safe);
    std::string tail(text.substr(safe));
    tail += "\n\n"; // the second one ends a line continued by a last backslash
    const std::size_t length = tail.size();
    tail.append(padding, '\n');
    run_region(tail.data(), tail.data() + length);
}

LoadResult<Document> Parser::finish()
{
    if (error_) return std::unexpected(*error_);
    // An empty scene, as modeling programs write it, still names its library; a file that is not an OBJ does
    // not.
    if (doc_.positions.empty() && doc_.libraries.empty() && doc_.materials.empty() && dropped_faces_ == 0)
        return fail(LoadErrc::empty, "", "the file has no vertices and names no material");
    if (doc_.indices.empty() && dropped_faces_ > 0) {
        return fail(LoadErrc::out_of_range, bad_face_where_, "no face of the file has valid vertices");
    }
    if (doc_.indices.empty()) add_point_cloud();
    if (error_) return std::unexpected(*error_);
    return std::move(doc_);
}

void Parser::run_region(const char* first, const char* last)
{
    region_begin_ = at_ = region_first_ = first;
    region_last_ = last;
    faces_first_ = nullptr;
    while (at_ < last && !stop_)
        read_line();
}

void Parser::read_line()
{
    __builtin_prefetch(at_ + prefetch_distance); // hardware prefetching stops at page boundaries
    if (skip_blanks()) read_words();
    finish_line();
}

void Parser::read_words()
{
    if (*at_ == 'v') {
        read_v_line();
    } else if (*at_ == 'f' && (is_blank(at_[1]) || at_[1] == '\\')) {
        ++at_;
        if (pass_ != Pass::attributes) read_face();
    } else {
        read_other_line();
    }
}

void Parser::read_v_line()
{
    const char kind = at_[1];
    if (is_line_end(kind)) return read_other_line();
    const char after = is_blank(kind) || kind == '\\' ? kind : at_[2];
    if (!is_blank(after) && after != '\\') return read_other_line();
    at_ += after == kind ? 1 : 2;
    if (kind == 't') {
        read_uv();
    } else if (kind == 'n') {
        read_normal();
    } else if (kind == 'p') {
        report_unknown("vp");
    } else if (kind == after) {
        read_position();
    } else {
        report_unknown({at_ - 2, 2});
    }
}

void Parser::read_other_line()
{
    const char* first = at_;
    while (static_cast<unsigned char>(*at_) > ' ' && *at_ != '\\')
        ++at_;
    const std::string_view word(first, at_);
    if (word.empty()) return read_after_control_characters();
    if (word.front() == '#') {
        if (word == "#MRGB" && pass_ != Pass::elements) read_polypaint();
        while (!is_line_end(*at_))
            ++at_;
        // A path at the end of a comment may end in a backslash, which is not a continuation.
        region_begin_ = at_;
    } else if (pass_ != Pass::attributes) {
        read_statement(word);
    }
}

// Control characters count as blanks, as does a stray backslash.
void Parser::read_after_control_characters()
{
    while (!is_line_end(*at_) && (is_white(*at_) || *at_ == '\\'))
        ++at_;
    if (!is_line_end(*at_)) read_words();
}

bool Parser::skip_continuation()
{
    while (*at_ == '\\') {
        if (!is_line_end(at_[1])) return true;
        at_ += at_[1] == '\r' && at_[2] == '\n' ? 3 : 2;
        ++line_;
        while (is_blank(*at_))
            ++at_;
    }
    return !is_line_end(*at_);
}

void Parser::finish_line()
{
    for (bool continued = true; continued;) {
        while (!is_line_end(*at_))
            ++at_;
        continued = at_ != region_begin_ && at_[-1] == '\\';
        at_ += *at_ == '\r' && at_[1] == '\n' ? 2 : 1;
        ++line_;
    }
}

std::string Parser::rest_of_line()
{
    std::string rest;
    while (skip_blanks()) {
        const char* first = at_;
        while (!is_line_end(*at_) && !(*at_ == '\\' && is_line_end(at_[1])))
            ++at_;
        if (!rest.empty()) rest += ' ';
        rest += ascii::trimmed({first, at_}, is_white);
    }
    return io::to_utf8(rest);
}

void Parser::warn(std::string_view code, std::string_view message)
{
    if (warnings_.accepts(code)) warnings_.store(code, message, fmt::format("line {}", line_));
}

void Parser::reject(std::string_view what, std::uint64_t limit)
{
    stop_ = true;
    if (!error_) {
        error_ = io::limit_exceeded_error(fmt::format("line {}", line_), what, limit).error();
    }
}

} // namespace vitrine::obj
