#pragma once
// Boxes of truth/*.jsonl.

#include <string>

#include <fmt/format.h>

#include "loaders/io/json/json.hpp"
#include "loaders/scene/bounds/bounds.hpp"

namespace vitrine::test {

inline scene::Aabb read_box(io::JsonValue min, io::JsonValue max)
{
    scene::Aabb box;
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
        box.min[static_cast<int>(axis)] = static_cast<float>(min[axis].number().value_or(0.0));
        box.max[static_cast<int>(axis)] = static_cast<float>(max[axis].number().value_or(0.0));
    }
    return box;
}

inline std::string text(const scene::Aabb& b)
{
    return fmt::format("[{} {} {}] [{} {} {}]", b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z);
}

} // namespace vitrine::test
