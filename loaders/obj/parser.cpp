#include "loaders/obj/parser.hpp"

#include <algorithm>
#include <array>
#include <charconv>
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

bool is_one_of(std::string_view word, std::span<const std::string_view> words)
{
    return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 22> free_form = {
    "vp",   "cstype", "deg", "bmat", "step", "curv", "curv2", "surf", "parm", "trim", "hole",
    "scrv", "sp",     "end", "con",  "bzp",  "bsp",  "cdc",   "cdp",  "res",  "bsp2", "cdp2"};
// Display hints of the format's first programs, without effect here.
constexpr std::array<std::string_view, 11> hints = {"mg",    "bevel",     "c_interp", "d_interp",
                                                    "lod",   "maplib",    "ctech",    "shadow_obj",
                                                    "stech", "trace_obj", "usemap"};
// Include another OBJ, or run a command.
constexpr std::array<std::string_view, 2> general = {"call", "csh"};

std::uint32_t smoothing_group(std::string_view text)
{
    std::uint32_t group = 0;
    if (text == "on") return 1;
    std::from_chars(text.data(), text.data() + text.size(), group);
    return group; // "off" and "0": no group
}

// Removes a comment after a name that is not referenced. "Part #3" is a name.
std::string without_remark(std::string name)
{
    if (const std::size_t at = name.find(" # "); at != name.npos)
        name.resize(name.find_last_not_of(' ', at) + 1);
    return name;
}

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
        read_state(word);
    }
}

// Control characters count as blanks, as does a stray backslash.
void Parser::read_after_control_characters()
{
    while (!is_line_end(*at_) && (is_white(*at_) || *at_ == '\\'))
        ++at_;
    if (!is_line_end(*at_)) read_words();
}

void Parser::read_state(std::string_view word)
{
    if (word == "f" || word == "fo") {
        read_face();
    } else if (word == "l") {
        read_polyline();
    } else if (word == "p") {
        read_points();
    } else if (word == "usemtl") {
        use_material(rest_of_line());
    } else if (word == "s") {
        smoothing_ = smoothing_group(rest_of_line());
    } else if (word == "o") {
        in_object_ = true;
        groups_.clear();
        begin_part(without_remark(rest_of_line()));
    } else if (word == "mtllib") {
        add_library_reference();
    } else if (word == "g") {
        name_group(without_remark(rest_of_line()));
    } else {
        report_unknown(word);
    }
}

void Parser::report_unknown(std::string_view word)
{
    if (pass_ == Pass::attributes) return;
    if (is_one_of(word, free_form))
        return warn("obj_free_form", "free-form curves and surfaces are not supported; they are ignored");
    if (is_one_of(word, hints)) return warn("obj_hint_ignored", "a display hint is ignored");
    if (is_one_of(word, general))
        return warn("obj_general_statement",
                    "general statements (call, csh) are not supported; they are ignored");
    if (warnings_.wants("obj_unknown_word")) {
        warnings_.keep("obj_unknown_word",
                       fmt::format("the keyword {} is unknown; its line is ignored", io::shown(word)),
                       fmt::format("line {}", line_));
    }
}

void Parser::begin_part(std::string name)
{
    if (!doc_.parts.empty() && doc_.parts.back().first_index == doc_.indices.size()) doc_.parts.pop_back();
    if (doc_.parts.size() >= limits_.meshes) return refuse("meshes", limits_.meshes);
    doc_.vertices.begin_mesh();
    doc_.parts.push_back(
        {std::move(name), doc_.vertices.size(), doc_.indices.size(), doc_.primitive_runs.size()});
}

// Groups name faces, which the Scene does not support: the names of the first group name a part without `o`;
// an object has its own name. Programs that sort by material or polygroup write thousands of groups, so
// groups do not create meshes.
void Parser::name_group(const std::string& names)
{
    if (in_object_ || names.empty() || names == "default" || names == groups_) return;
    const bool has_faces = doc_.parts.back().first_index < doc_.indices.size();
    if (!has_faces)
        doc_.parts.back().name = names;
    else if (!std::exchange(groups_warned_, true))
        warn("obj_groups_joined", "faces of several groups are combined into one mesh with the first name");
    groups_ = names;
}

void Parser::add_library_reference()
{
    const auto line = line_; // the line may be continued
    doc_.libraries.push_back({rest_of_line(), line});
}

void Parser::use_material(const std::string& name)
{
    if (name.empty()) return void(material_ = scene::none);
    const auto [found, is_new] =
        material_ids_.try_emplace(name, static_cast<std::uint32_t>(doc_.materials.size()));
    if (is_new) doc_.materials.push_back({name, line_});
    material_ = found->second;
    if (doc_.materials.size() > limits_.materials) refuse("materials", limits_.materials);
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
    if (warnings_.wants(code)) warnings_.keep(code, message, fmt::format("line {}", line_));
}

void Parser::refuse(std::string_view what, std::uint64_t limit)
{
    stop_ = true;
    if (!error_) {
        error_ = io::limit_exceeded_error(fmt::format("line {}", line_), what, limit).error();
    }
}

} // namespace vitrine::obj
