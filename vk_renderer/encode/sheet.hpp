#pragma once
// One picture of many frames: sprite sheets. Pure.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vk_renderer/base/frame.hpp"

namespace vitrine::render {

// Nearly a square.
struct SheetGrid {
    std::uint32_t columns = 1, rows = 1;
};
SheetGrid sheet_grid(std::size_t frames);

// Frames of one size, at least one, from left to right and from the top down; what is left over stays
// transparent.
Frame sheet_of(const std::vector<Frame>& frames);

} // namespace vitrine::render
