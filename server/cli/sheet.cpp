#include "server/cli/sheet.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace vitrine::cli {
namespace {

constexpr std::uint64_t most_sheet_pixels = 1u << 27; // twice 512 MiB while it is made
constexpr std::uint32_t longest_jpeg_side = 65'500;

struct Grid {
    std::uint32_t columns = 1, rows = 1;
};

Grid grid_of(std::size_t frames)
{
    Grid grid;
    while (std::uint64_t{grid.columns} * grid.columns < frames)
        ++grid.columns;
    grid.rows = (static_cast<std::uint32_t>(frames) + grid.columns - 1) / grid.columns;
    return grid;
}

} // namespace

std::string sheet_fault(std::size_t frames, const render::View& view, render::ImageFormat format)
{
    if (frames < 2 || format == render::ImageFormat::webp) return {};
    const auto grid = grid_of(frames);
    const std::uint64_t width = std::uint64_t{grid.columns} * view.width;
    const std::uint64_t height = std::uint64_t{grid.rows} * view.height;
    const bool too_long = format == render::ImageFormat::jpeg && std::max(width, height) > longest_jpeg_side;
    if (!too_long && width * height <= most_sheet_pixels) return {};
    return fmt::format(
        "{} frames of {} x {} make a sheet of {} x {}, which is too large: at most {} pixels{}; "
        ".webp holds them one after the other",
        frames, view.width, view.height, width, height, most_sheet_pixels,
        too_long ? fmt::format(" and, as JPEG, {} a side", longest_jpeg_side) : "");
}

render::Frame sheet_of(const std::vector<render::Frame>& frames)
{
    const auto [columns, rows] = grid_of(frames.size());
    const auto width = frames[0].width, height = frames[0].height;
    render::Frame sheet{
        .width = width * columns, .height = height * rows, .pixels = {}, .bounds = {}, .render_us = 0};
    sheet.pixels.resize(std::size_t{sheet.width} * sheet.height * 4);
    for (std::size_t i = 0; i < frames.size(); ++i)
        for (std::uint32_t y = 0; y < height; ++y) {
            const auto* row = frames[i].pixels.data() + std::size_t{y} * width * 4;
            const auto at = (i / columns * height + y) * sheet.width + i % columns * width;
            std::copy_n(row, std::size_t{width} * 4, sheet.pixels.data() + at * 4);
        }
    return sheet;
}

} // namespace vitrine::cli
