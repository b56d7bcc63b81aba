// The blended parts of RasterPass, and ghosts.
#include "vk_renderer/passes/raster.hpp"

#include <algorithm>

namespace vitrine::render {
namespace {

// Of a ghost's surfaces, lines and points. They write depth: what they cover of themselves does not shine
// through.
MeshVariant ghost_variant(const RasterFrame& frame, const DrawItem& item)
{
    return {.light = frame.view->light,
            .topology = item.topology,
            .flat = item.flat,
            .writes_depth = true,
            .debug_view = DebugView::ghost};
}

} // namespace

void RasterPass::add_ghost_variants(const RasterFrame& frame, std::vector<MeshVariant>& missing) const
{
    if (frame.ghosts.empty()) return;
    for (const auto& item : frame.scene->packed.draws) {
        const auto variant = ghost_variant(frame, item);
        if (!pipelines_.has(variant) && std::ranges::find(missing, variant) == missing.end())
            missing.push_back(variant);
    }
}

void RasterPass::draw_blended(State& state)
{
    const auto& draws = state.frame->scene->packed.draws;
    blended_order_.clear();
    for (std::uint32_t instance = 0; instance < solid_count(*state.all); ++instance) {
        select(state, instance);
        for (std::uint32_t i = 0; i < draws.size(); ++i)
            if (is_blended(*state.frame, draws[i]))
                blended_order_.push_back({-view_depth(*state.frame, draws[i]), instance, i});
    }
    std::ranges::sort(blended_order_);
    for (const auto& draw : blended_order_) {
        select(state, draw.instance);
        draw_blended_item(state, draws[draw.item]);
    }
    select(state, 0);
}

void RasterPass::draw_blended_item(State& state, const DrawItem& item)
{
    const auto variant = variant_of(*state.frame, item);
    if (item.ordered.count > 0 && sorts_blended(*state.frame)) {
        draw_ordered(state, item, variant);
        return;
    }
    // The far side of a body before the near side.
    if (!is_single_sided(item) && item.topology == scene::Topology::triangles) {
        draw_item(state, item, variant, VK_CULL_MODE_FRONT_BIT);
        draw_item(state, item, variant, VK_CULL_MODE_BACK_BIT);
    } else {
        draw_item(state, item, variant, cull_mode(*state.frame, item));
    }
}

// Back to front, before the model, which thus covers its ghosts: the shown pose stays distinct.
void RasterPass::draw_ghosts(State& state)
{
    const auto solids = solid_count(*state.all);
    blended_order_.clear();
    for (auto instance = solids; instance < state.all->instance_count; ++instance) {
        select(state, instance);
        blended_order_.push_back({-view_depth(*state.frame), instance});
    }
    std::ranges::sort(blended_order_);
    for (const auto& draw : blended_order_) {
        select(state, draw.instance);
        draw_ghost(state, state.all->ghosts[draw.instance - solids].placement.ghost);
    }
    select(state, 0);
    const VkClearAttachment depth{.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT};
    const VkClearRect area{.rect = {{0, 0},
                                    {static_cast<std::uint32_t>(state.all->params->viewport.x),
                                     static_cast<std::uint32_t>(state.all->params->viewport.y)}},
                           .layerCount = 1};
    device_->vk.vkCmdClearAttachments(state.commands, 1, &depth, 1, &area);
}

// First only the depth, so that each pixel is colored once.
void RasterPass::draw_ghost(State& state, const glm::vec4& color)
{
    for (const auto& drawn : {glm::vec4(0.0f), color}) {
        push_constants(*device_, state.commands, pipelines_.layout(),
                       shared::DrawPushConstants{.ghost = drawn});
        for (const auto& item : state.frame->scene->packed.draws)
            draw_item(state, item, ghost_variant(*state.frame, item), cull_mode(*state.frame, item));
    }
}

} // namespace vitrine::render
