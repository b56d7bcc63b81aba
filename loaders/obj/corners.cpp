#include <algorithm>

#include <fmt/format.h>

#include "loaders/io/text/text_reader.hpp"
#include "loaders/obj/parser.hpp"
#include "loaders/obj/scan.hpp"

namespace vitrine::obj {

Parser::Lookup Parser::look_up(std::int64_t raw, std::uint64_t so_far, std::uint64_t in_all,
                               std::uint32_t& out) const
{
    const std::int64_t index = raw > 0 ? raw - 1 : static_cast<std::int64_t>(so_far) + raw;
    if (raw == 0 || index < 0) return Lookup::bad;
    if (static_cast<std::uint64_t>(index) >= in_all) return pass_ == Pass::all ? Lookup::later : Lookup::bad;
    out = static_cast<std::uint32_t>(index);
    return Lookup::good;
}

bool Parser::find_position(std::int64_t raw, std::uint32_t& out)
{
    const Lookup found = look_up(raw, positions_, doc_.positions.size(), out);
    if (found == Lookup::later) needs_second_pass_ = stop_ = true;
    if (found == Lookup::bad)
        warn("obj_index_out_of_range", "a corner has an invalid vertex index; it is ignored");
    return found == Lookup::good;
}

// An invalid texture coordinate or normal is treated as missing.
void Parser::find_optional(std::int64_t raw, std::uint64_t so_far, std::uint64_t in_all, std::uint32_t& out)
{
    const Lookup found = look_up(raw, so_far, in_all, out);
    if (found == Lookup::later) needs_second_pass_ = stop_ = true;
    if (found == Lookup::bad)
        warn("obj_index_out_of_range", "a texture coordinate or normal index is invalid; it is ignored");
}

// Reads "v", "v/t", "v//n" or "v/t/n". Returns false for a corner without a vertex.
bool Parser::read_corner(Corner& corner)
{
    std::int64_t raw = 0;
    scan_integer(at_, raw); // 0 when missing, which is not a valid index
    if (!find_position(raw, corner.position)) return false;
    if (*at_ != '/') return true;
    ++at_;
    if (scan_integer(at_, raw)) find_optional(raw, uvs_, doc_.uvs.size(), corner.uv);
    if (*at_ != '/') return true;
    ++at_;
    if (!scan_integer(at_, raw)) return true;
    find_optional(raw, normals_, doc_.normals.size(), corner.normal);
    if (has_zero_normals_ && corner.normal != scene::none && doc_.normals[corner.normal] == glm::vec3(0.0f)) {
        corner.normal = scene::none;
    }
    return true;
}

// Reads one corner of a simple face and advances `p`. Returns false for other corners.
[[gnu::always_inline]] inline bool Parser::read_plain_corner(const char*& p, std::size_t in_all_lists,
                                                             Corner& corner)
{
    if (is_uniform_) { // equal indices, as in the previous corner
        const std::uint32_t uniform = scan_uniform_corner(p, digits_) - 1;
        if (uniform < in_all_lists) {
            corner = {uniform, uniform, uniform};
            return true;
        }
        if (uniform != scene::none) return false; // out of range
    }
    const char* first = p;
    corner.position = scan_index(p, digits_) - 1; // 0 wraps to a value larger than any count
    const auto length = p - first;
    bool has_normal = false;
    if (*p == '/') {
        if (*++p != '/') {
            corner.uv = scan_repeated_index(p, first, length, corner.position + 1, digits_) - 1;
            if (corner.uv >= doc_.uvs.size()) return false;
        }
        has_normal = *p == '/';
        if (has_normal) {
            corner.normal = scan_repeated_index(++p, first, length, corner.position + 1, digits_) - 1;
            if (corner.normal >= doc_.normals.size()) return false;
        }
    }
    lacks_normals_ |= !has_normal;
    is_uniform_ = corner.uv == corner.position && corner.normal == corner.position;
    return corner.position < doc_.positions.size() && static_cast<unsigned char>(*p) <= ' ';
}

// Reads the most frequent kind of face: at most four corners with valid unsigned indices. Returns false,
// leaving the position unchanged, for other faces.
bool Parser::read_plain_corners()
{
    if (has_zero_normals_) return false; // zero normals need the general path
    const std::size_t in_all_lists = std::min({doc_.positions.size(), doc_.uvs.size(), doc_.normals.size()});
    const char* p = at_;
    Corner corners[4];
    std::size_t count = 0;
    lacks_normals_ = false;
    for (;; ++count) {
        while (is_blank(*p))
            ++p;
        if (is_line_end(*p)) break;
        if (count == 4) return false;
        if (!read_plain_corner(p, in_all_lists, corners[count])) return false;
    }
    corners_.resize(count); // usually the size already
    for (std::size_t i = 0; i < count; ++i)
        corners_[i] = corners[i];
    at_ = p;
    return true;
}

// Skips the remaining characters of the corner.
void Parser::skip_rest_of_corner(bool is_corner)
{
    const char* const rest = at_;
    while (static_cast<unsigned char>(*at_) > ' ' && *at_ != '\\')
        ++at_;
    if (is_corner && at_ != rest && warnings_.accepts("obj_corner"))
        warn("obj_corner",
             fmt::format("a corner has trailing characters {}; they are ignored", io::shown({rest, at_})));
}

// Returns whether all corners could be read; `corners_` contains those that could.
bool Parser::read_corners()
{
    corners_.clear();
    lacks_normals_ = false;
    bool complete = true;
    while (skip_blanks() && *at_ != '#' && !stop_) {
        Corner corner;
        const char* first = at_;
        const bool good = read_corner(corner);
        skip_rest_of_corner(good);
        if (at_ == first) ++at_; // a control character or a backslash within the line
        complete = complete && good;
        if (!good) continue;
        lacks_normals_ = lacks_normals_ || corner.normal == scene::none;
        corners_.push_back(corner);
    }
    return complete && !stop_;
}

} // namespace vitrine::obj
