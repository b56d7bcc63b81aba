#pragma once
// The two containers behind parse_elements(). Both fill a tree whose `file` is set and that holds the node of
// the file itself.

#include <optional>

#include "loaders/fbx/container/element.hpp"

namespace vitrine::fbx {

// More than any modelling program writes; what they cost in memory stays below the file's own size limit.
inline constexpr std::size_t max_elements = std::size_t{1} << 26;

// Elements have fewer than ten levels in any known file; models do not nest this way.
inline constexpr std::size_t max_levels = 32;

bool is_binary(Bytes file);
LoadResult<void> parse_binary(ElementTree& tree, const Limits& limits);
LoadResult<void> parse_text(ElementTree& tree, const Limits& limits);

// "byte 1234" or "line 12" of a place in the file.
std::string place_of(const ElementTree& tree, const char* at);

// The element under which the next one goes, its last child so far, and where it ends.
struct OpenElement {
    std::uint32_t index = 0;
    std::uint32_t last_child = 0;
    std::uint64_t end = 0; // binary: the byte behind it
};

// Why an element may not have children on a level below so many; none: it may.
std::optional<LoadError> nested_too_deep(std::size_t levels, const Limits& limits);

// Appends a node as the last child of `parent`.
std::uint32_t append_child(ElementTree& tree, OpenElement& parent, std::string_view name);

} // namespace vitrine::fbx
