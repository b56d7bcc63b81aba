#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/io/text/number_scanner.hpp"
#include "loaders/io/text/scan_decimal.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/stl/document.hpp"
#include "loaders/stl/solid_builder.hpp"

namespace vitrine::stl {
namespace {

// Control characters count as blanks.
bool is_white(char c)
{
    return static_cast<unsigned char>(c) <= ' ';
}

bool is_word(std::string_view word, std::string_view known)
{
    return ascii::equal_ignoring_case(word, known);
}

class StlTextParser {
public:
    StlTextParser(std::string_view text, const std::string& stem, const Limits& limits,
                  io::WarningLog& warnings)
        : text_(text), stem_(stem), limits_(limits), warnings_(warnings)
    {
        const auto last = std::ranges::find_if(text.rbegin(), text.rend(), is_white);
        if (last != text.rend()) last_white_ = static_cast<std::size_t>(text.rend() - last) - 1;
    }
    LoadResult<Document> run();

private:
    std::string_view next_word();
    std::string_view rest_of_line();
    void skip_white();
    std::string where() const { return fmt::format("line {}", line_); }

    LoadResult<void> read_statement(std::string_view word);
    LoadResult<void> begin_solid();
    LoadResult<void> end_solid();
    LoadResult<void> read_normal();
    LoadResult<void> read_corner();
    LoadResult<void> end_facet();
    bool read_plain_number(double& value);
    LoadResult<glm::vec3> read_vector(std::string_view what);
    void add_facet();

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t last_white_ = 0; // digits before it need no other end check
    std::uint64_t line_ = 1;
    const std::string& stem_;
    const Limits& limits_;
    io::WarningLog& warnings_;
    Document document_;
    FacetFaults faults_;
    SolidBuilder solid_{false, faults_};
    std::string name_;
    bool in_solid_ = false, in_loop_ = false;
    glm::vec3 normal_{0.0f};
    std::vector<glm::vec3> corners_;
    std::vector<std::uint32_t> order_, triangles_; // of a facet with more than three corners
};

void StlTextParser::skip_white()
{
    for (; at_ < text_.size() && is_white(text_[at_]); ++at_)
        if (text_[at_] == '\n' || (text_[at_] == '\r' && !text_.substr(at_).starts_with("\r\n"))) ++line_;
}

std::string_view StlTextParser::next_word()
{
    skip_white();
    const std::size_t first = at_;
    while (at_ < text_.size() && !is_white(text_[at_]))
        ++at_;
    return text_.substr(first, at_ - first);
}

std::string_view StlTextParser::rest_of_line()
{
    const std::size_t first = at_;
    while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r')
        ++at_;
    return ascii::trimmed(text_.substr(first, at_ - first), is_white);
}

LoadResult<Document> StlTextParser::run()
{
    for (std::string_view word = next_word(); !word.empty(); word = next_word())
        if (auto read = read_statement(word); !read) return std::unexpected(read.error());
    if (in_loop_) return fail(LoadErrc::truncated, where(), "the file ends within a facet");
    if (in_solid_) {
        warnings_.add("stl_no_end", "the file ends without endsolid; it may be incomplete", where());
        if (auto ended = end_solid(); !ended) return std::unexpected(ended.error());
    }
    faults_.report(warnings_);
    if (document_.solids.empty()) return fail(LoadErrc::empty, where(), "the file has no facet");
    return std::move(document_);
}

LoadResult<void> StlTextParser::read_statement(std::string_view word)
{
    if (is_word(word, "vertex")) return read_corner();
    if (is_word(word, "facet")) return read_normal();
    if (is_word(word, "endloop")) return end_facet();
    if (is_word(word, "solid")) return begin_solid();
    if (is_word(word, "endsolid")) {
        rest_of_line();
        return end_solid();
    }
    if (is_word(word, "outer") || is_word(word, "loop")) {
        in_loop_ = true;
        return {};
    }
    if (is_word(word, "endfacet")) return {};
    if (warnings_.accepts("stl_unknown_word"))
        warnings_.store("stl_unknown_word",
                        fmt::format("{} is not a word of the format; its line is ignored", io::shown(word)),
                        where());
    rest_of_line();
    return {};
}

LoadResult<void> StlTextParser::begin_solid()
{
    if (in_solid_)
        if (auto ended = end_solid(); !ended) return ended;
    in_solid_ = true;
    name_ = io::to_utf8(rest_of_line());
    return {};
}

LoadResult<void> StlTextParser::end_solid()
{
    const bool was_named = std::exchange(in_solid_, false);
    if (solid_.empty()) {
        if (was_named) warnings_.add("stl_empty_solid", "a solid has no facets; it is ignored", where());
        return {};
    }
    const auto number = document_.solids.size();
    if (number >= limits_.meshes) return io::limit_exceeded_error(where(), "meshes", limits_.meshes);
    if (number >= limits_.nodes) return io::limit_exceeded_error(where(), "nodes", limits_.nodes);
    document_.solids.push_back(solid_.finish(name_.empty() ? stem_ : std::exchange(name_, {})));
    return {};
}

LoadResult<void> StlTextParser::read_normal()
{
    in_solid_ = true; // also without the word
    const std::string_view word = next_word();
    if (!is_word(word, "normal"))
        return fail(LoadErrc::malformed, where(), "facet is not followed by normal");
    const auto normal = read_vector("a normal");
    if (!normal) return std::unexpected(normal.error());
    normal_ = *normal;
    return {};
}

LoadResult<void> StlTextParser::read_corner()
{
    in_loop_ = true;
    if (auto within = check_corner_limits(++document_.corners, where(), limits_); !within) return within;
    const auto corner = read_vector("a vertex");
    if (!corner) return std::unexpected(corner.error());
    corners_.push_back(*corner);
    return {};
}

// Nearly every number. False, without consuming it, for others.
bool StlTextParser::read_plain_number(double& value)
{
    skip_white();
    if (at_ >= last_white_) return false;
    const char* at = text_.data() + at_;
    if (!io::scan_decimal(at, value)) return false;
    at_ = static_cast<std::size_t>(at - text_.data());
    return true;
}

// Numbers that are not finite, or too large for a float, become NaN or infinite.
LoadResult<glm::vec3> StlTextParser::read_vector(std::string_view what)
{
    glm::vec3 vector;
    for (glm::length_t axis = 0; axis < 3; ++axis) {
        if (double value = 0.0; read_plain_number(value)) {
            vector[axis] = static_cast<float>(value);
            continue;
        }
        const std::string_view word = next_word();
        const char* const end = word.data() + word.size();
        const auto number = io::scan_number(word.data(), end);
        if (word.empty())
            return fail(LoadErrc::truncated, where(), fmt::format("the file ends within {}", what));
        if (number.end != end)
            return fail(LoadErrc::malformed, where(),
                        fmt::format("{} in {} is not a number", io::shown(word), what));
        vector[axis] = static_cast<float>(number.value);
    }
    return vector;
}

LoadResult<void> StlTextParser::end_facet()
{
    in_solid_ = true;
    in_loop_ = false;
    ++document_.facets;
    if (corners_.size() < 3)
        warnings_.add("stl_short_facet", "a facet has fewer than three vertices; it is ignored", where());
    else
        add_facet();
    corners_.clear();
    normal_ = glm::vec3(0.0f);
    return {};
}

// The format has triangles only; some programs write polygons.
void StlTextParser::add_facet()
{
    triangles_.assign({0, 1, 2});
    const auto is_finite = [](const glm::vec3& p) { return std::isfinite(p.x + p.y + p.z); };
    if (corners_.size() > 3 && std::ranges::all_of(corners_, is_finite)) {
        order_.clear();
        for (std::uint32_t i = 0; i < corners_.size(); ++i)
            order_.push_back(i);
        triangles_.clear();
        if (!scene::triangulate(corners_, order_, triangles_))
            warnings_.add(
                "stl_crossing_facet",
                "a facet whose outline intersects itself very often is triangulated partly as a fan",
                where());
    }
    for (std::size_t i = 0; i + 2 < triangles_.size(); i += 3) {
        const std::array<glm::vec3, 3> corners{corners_[triangles_[i]], corners_[triangles_[i + 1]],
                                               corners_[triangles_[i + 2]]};
        solid_.add(corners, normal_, 0, [this] { return where(); });
    }
}

} // namespace

bool begins_as_text(std::string_view text)
{
    constexpr std::size_t first_lines = 4096; // bytes
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    text = ascii::trimmed(text.substr(0, first_lines), is_white);
    const std::string lower = ascii::lower(text);
    if (!lower.starts_with("solid") || (lower.size() > 5 && !is_white(lower[5]))) return false;
    return !lower.contains('\0') && (lower.contains("facet") || lower.contains("endsolid"));
}

LoadResult<void> check_corner_limits(std::uint64_t corners, std::string where, const Limits& limits)
{
    if (corners > limits.vertices)
        return io::limit_exceeded_error(std::move(where), "vertices", limits.vertices);
    if (corners > limits.indices)
        return io::limit_exceeded_error(std::move(where), "indices", limits.indices);
    return {};
}

LoadResult<Document> read_text(std::string_view text, const std::string& stem, const Limits& limits,
                               io::WarningLog& warnings)
{
    return StlTextParser(text, stem, limits, warnings).run();
}

} // namespace vitrine::stl
