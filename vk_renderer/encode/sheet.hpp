#pragma once
// Combines frames into one image (sprite sheet). Pure functions.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vk_renderer/base/frame.hpp"

namespace vitrine::render {

// Columns and rows, nearly square.
struct SheetGrid {
    std::uint32_t columns = 1, rows = 1;
};
SheetGrid sheet_grid(std::size_t frames);

// Arranges at least one frame, all of one size, left to right and top to bottom; unused cells are
// transparent.
Frame compose_sheet(const std::vector<Frame>& frames);
// As compose_sheet(frames), in rows of `columns` frames.
Frame compose_sheet(const std::vector<Frame>& frames, std::uint32_t columns);

} // namespace vitrine::render
