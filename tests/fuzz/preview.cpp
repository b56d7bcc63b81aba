// A text message of a preview client: accepted values are within the limits of api/websocket.md, a rejected
// message has a reason.

#include <cmath>
#include <string>
#include <vector>

#include "server/preview/client_messages.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace vitrine;
using test::demand;

template <class T>
void demand_within(const std::optional<T>& value, double min, double max)
{
    if (value) demand(std::isfinite(static_cast<double>(*value)) && *value >= min && *value <= max);
}

const api::PreviewInfo info{
    .clips = {{"walk"}, {"walk"}, {"idle"}}, .variants = {"red", "blue"}, .bounds = {}};

const api::PreviewInfo row_info{.row = "asset=a&asset=b", .clips = {}, .bounds = {}};

// A row takes no members of one model.
void demand_of_row(const server::ViewChange& view)
{
    if (view.clip)
        demand(view.clip->clip == scene::none && (view.clip->text.empty() || view.clip->text == "row"));
    demand(!view.variant || !*view.variant);
    demand(!view.lod || !*view.lod);
    for (const auto* list :
         {&view.layers, &view.turns, &view.moves, &view.scales, &view.reaches, &view.attachments})
        demand(!*list || (*list)->empty());
}

void demand_within_limits(const server::ViewChange& view)
{
    demand_within(view.yaw, -1e6, 1e6);
    demand_within(view.pitch, -1e6, 1e6);
    if (view.distance) demand_within(*view.distance, 1e-10, 1e9);
    if (view.clip && view.clip->clip != scene::none)
        demand(view.clip->clip < info.clips.size() && view.clip->text.empty());
    if (view.variant && *view.variant) demand(**view.variant < info.variants.size());
    demand_within(view.time, -1e300, 1e300);
    demand_within(view.speed, -100.0, 100.0);
    demand_within(view.width, 1.0, 16'384.0);
    demand_within(view.height, 1.0, 16'384.0);
    demand_within(view.device_pixel_ratio, 0.1, 8.0);
    if (view.background && *view.background)
        for (int i = 0; i < 4; ++i)
            demand((**view.background)[i] >= 0.0f && (**view.background)[i] <= 1.0f);
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto of_row = server::parse_message(test::text_of(data, size), row_info);
    if (of_row)
        if (const auto* view = std::get_if<server::ViewChange>(&of_row->message)) demand_of_row(*view);
    const auto parsed = server::parse_message(test::text_of(data, size), info);
    if (!parsed) {
        demand(!parsed.error().code.empty() && !parsed.error().detail.empty());
        return 0;
    }
    if (const auto* view = std::get_if<server::ViewChange>(&parsed->message)) demand_within_limits(*view);
    if (const auto* quality = std::get_if<server::QualityChange>(&parsed->message)) {
        demand_within(quality->jpeg_quality, 1, 100);
        demand_within(quality->max_frames_per_second, 1, 60);
    }
    if (const auto* pick = std::get_if<server::PickRequest>(&parsed->message))
        demand(pick->x >= 0.0 && pick->x <= 1.0 && pick->y >= 0.0 && pick->y <= 1.0);
    if (const auto* step = std::get_if<server::StepRequest>(&parsed->message))
        demand(step->steps >= -1000 && step->steps <= 1000);
    return 0;
}
