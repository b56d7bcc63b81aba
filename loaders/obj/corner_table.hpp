#pragma once
// OBJ has separate indices for position, texture coordinate and normal.

#include <array>

#include "loaders/io/corner_table.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::obj {

struct Corner {
    std::uint32_t position = scene::none;
    std::uint32_t uv = scene::none;
    std::uint32_t normal = scene::none;
    bool operator==(const Corner&) const = default;
    std::array<std::uint32_t, 3> indices() const { return {position, uv, normal}; }
};

using CornerTable = io::CornerTable<Corner>;

} // namespace vitrine::obj
