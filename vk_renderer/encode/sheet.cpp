#include "vk_renderer/encode/sheet.hpp"

#include <algorithm>

namespace vitrine::render {

SheetGrid sheet_grid(std::size_t frames)
{
    SheetGrid grid;
    while (std::uint64_t{grid.columns} * grid.columns < frames)
        ++grid.columns;
    grid.rows = (static_cast<std::uint32_t>(frames) + grid.columns - 1) / grid.columns;
    return grid;
}

Frame compose_sheet(const std::vector<Frame>& frames)
{
    return compose_sheet(frames, sheet_grid(frames.size()).columns);
}

Frame compose_sheet(const std::vector<Frame>& frames, std::uint32_t columns)
{
    const auto rows = (static_cast<std::uint32_t>(frames.size()) + columns - 1) / columns;
    const auto width = frames[0].width, height = frames[0].height;
    Frame sheet{
        .width = width * columns, .height = height * rows, .pixels = {}, .bounds = {}, .render_us = 0};
    auto& pixels = sheet.pixels.own();
    pixels.resize(std::size_t{sheet.width} * sheet.height * 4);
    for (std::size_t i = 0; i < frames.size(); ++i)
        for (std::uint32_t y = 0; y < height; ++y) {
            const auto* row = frames[i].pixels.data() + std::size_t{y} * width * 4;
            const auto at = (i / columns * height + y) * sheet.width + i % columns * width;
            std::copy_n(row, std::size_t{width} * 4, pixels.data() + at * 4);
        }
    return sheet;
}

} // namespace vitrine::render
