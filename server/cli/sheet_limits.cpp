#include "server/cli/sheet_limits.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "vk_renderer/encode/sheet.hpp"

namespace vitrine::cli {
namespace {

constexpr std::uint64_t max_sheet_pixels = 1u << 27; // 512 MiB of pixels, twice in memory during encoding
constexpr std::uint32_t max_jpeg_side = 65'500;

} // namespace

std::string sheet_error(std::size_t frames, const render::View& view, render::ImageFormat format)
{
    if (frames < 2 || format == render::ImageFormat::webp) return {};
    const auto grid = render::sheet_grid(frames);
    const std::uint64_t width = std::uint64_t{grid.columns} * view.width;
    const std::uint64_t height = std::uint64_t{grid.rows} * view.height;
    const bool too_long = format == render::ImageFormat::jpeg && std::max(width, height) > max_jpeg_side;
    if (!too_long && width * height <= max_sheet_pixels) return {};
    return fmt::format(
        "{} frames of {} x {} make a sheet of {} x {}, which is too large: at most {} pixels{}; "
        ".webp stores them as an animation",
        frames, view.width, view.height, width, height, max_sheet_pixels,
        too_long ? fmt::format(" and, for JPEG, {} per side", max_jpeg_side) : "");
}

} // namespace vitrine::cli
