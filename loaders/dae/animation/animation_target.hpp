#pragma once
// What a channel's target says: "node/translate.X", "node/transform(3)(0)", "weights(2)", "weights[2]".

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "loaders/dae/document/documents.hpp"
#include "loaders/dae/transforms/transforms.hpp"

namespace vitrine::dae {

struct Target {
    std::string_view id;
    std::vector<std::string_view> sids;
    std::string_view member;            // behind the last dot
    std::string_view full_member;       // the last part with it
    std::array<int, 2> indices{-1, -1}; // in parentheses or brackets; -1: none
    bool is_malformed = false; // what stands in or behind parentheses is no index: it selects nothing
};

Target parse_target(std::string_view text);
// The element that the target's path leads to; absent where it leads nowhere. Where the last part as it
// stands is a sid, dot and all, the target has no member.
io::XmlNode find_target(Target& target, io::XmlNode from, Documents& documents);

// The values of an element that the target selects: first and count; count 0 for what it does not have.
struct Selection {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};
Selection select(const Target& target, ElementKind kind, std::uint32_t dimensions);

} // namespace vitrine::dae
