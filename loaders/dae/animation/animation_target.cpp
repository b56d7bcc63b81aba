#include "loaders/dae/animation/animation_target.hpp"

#include <algorithm>

#include "loaders/base/ascii.hpp"
#include "loaders/base/parse_whole.hpp"

namespace vitrine::dae {
namespace {

constexpr int max_index = 1'000'000;

// Parses an index in parentheses; -1 when it is not one.
int index_of(std::string_view text)
{
    const int value = parse_whole<int>(ascii::trimmed(text)).value_or(-1);
    return value <= max_index ? value : -1;
}

// Removes a suffix such as "(3)(0)" from the text. ColladaMax before 1.00 wrote "[3]"; FCollada reads both.
std::string_view take_indices(std::string_view text, AnimationTarget& target)
{
    const std::size_t open = text.find_first_of("([");
    if (open == std::string_view::npos) return text;
    std::string_view rest = text.substr(open);
    for (int& index : target.indices) {
        const bool opens = rest.starts_with('(') || rest.starts_with('[');
        const std::size_t close = opens ? rest.find(rest[0] == '(' ? ')' : ']') : rest.npos;
        if (close == rest.npos) break;
        index = index_of(rest.substr(1, close - 1));
        target.is_malformed |= index < 0;
        rest.remove_prefix(close + 1);
    }
    target.is_malformed |= !ascii::trimmed(rest, ascii::is_space).empty();
    return text.substr(0, open);
}

// Returns the index of a member name that programs write; -1 when unknown.
int member_index(std::string_view member, TransformKind kind)
{
    if (member == "ANGLE") return kind == TransformKind::skew ? 0 : 3;
    constexpr std::string_view axes = "XYZ";
    if (member.size() == 1 && axes.contains(member[0])) return static_cast<int>(axes.find(member[0]));
    if (kind == TransformKind::skew && member.size() == 4) {
        const std::size_t axis = axes.find(member[3]);
        if (axis != std::string_view::npos && member.starts_with("ROT")) return static_cast<int>(1 + axis);
        if (axis != std::string_view::npos && member.starts_with("TRA")) return static_cast<int>(4 + axis);
    }
    return -1;
}

} // namespace

AnimationTarget parse_target(std::string_view text)
{
    AnimationTarget target;
    std::string_view path = take_indices(text, target);
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t slash = path.find('/');
        parts.push_back(path.substr(0, slash));
        if (slash == std::string_view::npos) break;
        path.remove_prefix(slash + 1);
    }
    // Ids may contain dots; only the last part has a member.
    std::string_view& last = parts.back();
    if (const std::size_t dot = last.rfind('.'); parts.size() > 1 && dot != std::string_view::npos) {
        target.full_member = last;
        target.member = last.substr(dot + 1);
        last = last.substr(0, dot);
    }
    target.id = parts.front();
    target.sids.assign(parts.begin() + 1, parts.end());
    return target;
}

io::XmlNode find_target(AnimationTarget& target, io::XmlNode from, Documents& documents)
{
    io::XmlNode at = documents.find_id(from, target.id);
    for (std::string_view& sid : target.sids) {
        if (!at.exists()) return {};
        const bool may_be_uncut = &sid == &target.sids.back() && !target.full_member.empty();
        if (may_be_uncut && documents.has_sid_with_dot())
            if (const io::XmlNode found = documents.find_sid(at, target.full_member); found.exists()) {
                sid = target.full_member;
                target.member = {};
                return found;
            }
        io::XmlNode found = documents.find_sid(at, sid);
        // Some programs use the element name where it has no sid.
        if (!found.exists() && element_kind(sid)) found = documents.first_child(at, sid);
        at = found;
    }
    return at;
}

Selection select(const AnimationTarget& target, TransformKind kind, std::uint32_t dimensions)
{
    if (target.is_malformed) return {};
    const std::uint32_t size = value_count(kind);
    int index = -1;
    if (!target.member.empty()) {
        index = member_index(target.member, kind);
        if (index < 0) return {};
    } else if (target.indices[1] >= 0) {
        // Column, then row; values are in row order. For a look-at: point, then coordinate.
        const int columns = kind == TransformKind::matrix ? 4 : 3;
        if (std::max(target.indices[0], target.indices[1]) >= columns) return {};
        index = kind == TransformKind::matrix ? target.indices[1] * columns + target.indices[0]
                                              : target.indices[0] * columns + target.indices[1];
    } else {
        index = target.indices[0];
    }
    if (index >= 0)
        return static_cast<std::uint32_t>(index) < size ? Selection{static_cast<std::uint32_t>(index), 1}
                                                        : Selection{};
    // A single number for a whole rotation is its angle.
    if (kind == TransformKind::rotate && dimensions == 1) return {3, 1};
    return {0, std::min(size, dimensions)};
}

} // namespace vitrine::dae
