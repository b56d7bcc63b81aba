#pragma once
// The two containers behind parse_elements(). Both fill a tree with `file` set and the root node present.

#include <optional>

#include "loaders/fbx/container/element.hpp"

namespace vitrine::fbx {

// More than any modeling program writes; their memory stays below the limit on the file's size.
inline constexpr std::size_t max_elements = std::size_t{1} << 26;

// Nesting limit for elements. Known files have fewer than ten levels; models are not nested as elements.
inline constexpr std::size_t max_levels = 32;

bool is_binary(Bytes file);
LoadResult<void> parse_binary(ElementTree& tree, const Limits& limits);
LoadResult<void> parse_text(ElementTree& tree, const Limits& limits);

// Returns "byte 1234" or "line 12" for a position in the file.
std::string location_of(const ElementTree& tree, const char* at);

// An element under construction: the parent of the next element, its last child so far, and its end.
struct OpenElement {
    std::uint32_t index = 0;
    std::uint32_t last_child = 0;
    std::uint64_t end = 0; // binary: the offset just past the element
};

// Returns the error when an element at this depth may not have children; nullopt when it may.
std::optional<LoadError> nested_too_deep(std::size_t levels, const Limits& limits);

// Appends a node as the last child of `parent`.
std::uint32_t append_child(ElementTree& tree, OpenElement& parent, std::string_view name);

} // namespace vitrine::fbx
