#pragma once
// Expands an array of vertices to one element per corner.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/array.hpp"

namespace vitrine::scene {

// values[corner] for each corner; empty if the mesh has no such values. Precondition: otherwise each corner
// is less than their number.
template <class T>
std::vector<T> gather(const Array<T>& values, std::span<const std::uint32_t> corners)
{
    std::vector<T> out;
    if (values.empty()) return out;
    out.reserve(corners.size());
    for (const std::uint32_t corner : corners)
        out.push_back(values[corner]);
    return out;
}

} // namespace vitrine::scene
