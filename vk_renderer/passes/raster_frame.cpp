#include "vk_renderer/passes/raster_frame.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::render {
namespace {

glm::vec3 moved(const scene::PaletteEntry& entry, glm::vec3 p)
{
    const glm::vec4 h(p, 1.0f);
    return {glm::dot(entry.row[0], h), glm::dot(entry.row[1], h), glm::dot(entry.row[2], h)};
}

bool is_outside(const RasterFrame& frame)
{
    const auto& params = *frame.params;
    const bool orthographic = params.eye.w < 0.5f;
    return orthographic || glm::length(glm::vec3(params.eye)) > params.center.w;
}

// Joints may mirror individually; then the winding does not distinguish front faces.
bool has_consistent_winding(const RasterFrame& frame, const DrawItem& item)
{
    const auto& instance = frame.scene->packed.instances[item.instance];
    const auto moved_by = frame.palette.subspan(instance.first_palette, instance.palette_count);
    return std::ranges::all_of(
        moved_by, [first = mirrors(moved_by[0])](const auto& entry) { return mirrors(entry) == first; });
}

} // namespace

void select_instance(RasterFrame& frame, const RasterFrame& all, std::uint32_t i)
{
    const std::size_t count = frame.scene->packed.palette_count;
    frame.palette = all.palette.subspan(i * count, count);
    frame.pose_index = all.pose_index + i;
}

Range range_of(const RasterFrame& frame, const DrawItem& item)
{
    if (frame.lod == nullptr) return {item.first_index, item.index_count};
    return frame.lod->ranges[static_cast<std::size_t>(&item - frame.scene->packed.draws.data())];
}

bool is_single_sided(const DrawItem& item)
{
    return item.cull || item.back_to_back;
}

VkCullModeFlags cull_mode(const RasterFrame& frame, const DrawItem& item)
{
    const bool cull =
        is_single_sided(item) || (item.closed && is_outside(frame) && has_consistent_winding(frame, item));
    return cull ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE;
}

bool hides_back_faces(const RasterFrame& frame, const DrawItem& item)
{
    const auto indices = range_of(frame, item).count;
    const auto pixels = std::uint64_t{frame.view->width} * frame.view->height;
    return item.topology == scene::Topology::triangles &&
           std::uint64_t{indices / 3} * solid_count(frame) <= pixels;
}

bool is_blended(const RasterFrame& frame, const DrawItem& item)
{
    const bool blends = item.alpha == scene::AlphaMode::blend ||
                        (item.transmissive && frame.view->light == LightingPreset::studio);
    return blends && (frame.view->overlays.debug_view == DebugView::material ||
                      item.topology != scene::Topology::triangles);
}

bool keeps_own_color(const RasterFrame& frame, const DrawItem& item)
{
    if (frame.view->light != LightingPreset::studio) return false;
    const auto& background = frame.view->background;
    return item.unlit || item.colored || (background && background->w >= 1.0f);
}

bool has_opaque_background(const RasterFrame& frame)
{
    return shared::has_backdrop(frame.params->backdrop) || frame.params->background.w >= 1.0f;
}

bool has_transmission(const RasterFrame& frame)
{
    return std::ranges::any_of(frame.scene->packed.draws, [&](const DrawItem& item) {
        return item.transmissive && is_blended(frame, item);
    });
}

bool writes_depth(const RasterFrame& frame, const DrawItem& item)
{
    const bool ordered = item.ordered.count > 0 && sorts_blended(frame);
    return item.alpha != scene::AlphaMode::blend && item.needs_sorting && !ordered;
}

float length_scale(const scene::PaletteEntry& entry)
{
    constexpr double max_scale = 1e15;
    const auto& row = entry.row;
    const glm::dmat3 linear{glm::dvec3(row[0]), glm::dvec3(row[1]), glm::dvec3(row[2])};
    return static_cast<float>(std::min(std::cbrt(std::abs(glm::determinant(linear))), max_scale));
}

float view_depth(const RasterFrame& frame, const DrawItem& item)
{
    const bool carried = item.ordered.count > 0 && item.run < frame.run_shifts.size();
    const auto bound = carried ? item.center + frame.run_shifts[item.run] : item.center;
    const auto center = moved(frame.palette[item.palette_entry], bound) - glm::vec3(frame.params->center);
    return glm::dot(glm::vec3(frame.params->center_ray), center);
}

float view_depth(const RasterFrame& frame)
{
    const auto& draws = frame.scene->packed.draws;
    float sum = 0.0f;
    for (const auto& item : draws)
        sum += view_depth(frame, item);
    return sum / static_cast<float>(std::max<std::size_t>(draws.size(), 1));
}

} // namespace vitrine::render
