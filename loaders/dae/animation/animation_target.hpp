#pragma once
// Parses a channel's target: "node/translate.X", "node/transform(3)(0)", "weights(2)", "weights[2]".

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "loaders/dae/document/documents.hpp"
#include "loaders/dae/transforms/transforms.hpp"

namespace vitrine::dae {

struct AnimationTarget {
    std::string_view id;
    std::vector<std::string_view> sids;
    std::string_view member;            // after the last dot
    std::string_view full_member;       // the last path part including the member
    std::array<int, 2> indices{-1, -1}; // in parentheses or brackets; -1: no index
    bool is_malformed = false; // the parentheses or the text after them are not an index: selects nothing
};

AnimationTarget parse_target(std::string_view text);
// Finds the element at the target's path; absent when the path is unresolved. When the last part including
// its dot is a sid, the target has no member.
io::XmlNode find_target(AnimationTarget& target, io::XmlNode from, Documents& documents);

// The values of an element that the target selects: first and count; count 0 when the element lacks them.
struct Selection {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};
Selection select(const AnimationTarget& target, TransformKind kind, std::uint32_t dimensions);

} // namespace vitrine::dae
