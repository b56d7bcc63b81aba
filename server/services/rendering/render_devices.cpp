#include "server/services/rendering/render_devices.hpp"

#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "vk_renderer/renderer.hpp"

namespace vitrine::server {
namespace {

// Returns null if no driver can be loaded.
std::shared_ptr<void> load_drivers()
{
    try {
        return render::load_drivers();
    } catch (const std::exception&) {
        return nullptr; // reported when the devices are chosen
    }
}

void warn_about_unused_card(const render::Options& options, const render::DeviceInfo& info)
{
    if (const auto notice = render::unused_card_notice(options.device, info); !notice.empty())
        spdlog::warn("msg={:?}", notice);
}

// `drivers`: held until the renderer exists, so that they are not unloaded and loaded again.
MakeRenderDevice make_renderer(const render::Options& options, std::shared_ptr<void> drivers)
{
    return [options, drivers = std::move(drivers)] {
        auto renderer = std::make_unique<render::Renderer>(options);
        warn_about_unused_card(options, renderer->info());
        renderer->warm_up();
        return renderer;
    };
}

MakeRenderDevice make_process(const render::Options& options, const render_process::ProcessOptions& process)
{
    return [options, process] {
        auto device = std::make_unique<render_process::ProcessDevice>(options, process);
        warn_about_unused_card(options, device->info());
        spdlog::info("msg=\"render process started\" pid={} device={:?}", device->process_id(),
                     device->info().name);
        return device;
    };
}

bool uses_process(RenderProcess mode, const std::string& device)
{
    if (mode != RenderProcess::automatic) return mode == RenderProcess::always;
    return !render::selects_software(device);
}

// The devices of this choice, or the choice itself if none matches now.
std::vector<render::Options> options_of_devices(const render::Options& options)
{
    std::vector<render::Options> all{options};
    try {
        const auto chosen = render::choose_devices(options.device);
        all.assign(chosen.size(), options);
        for (std::size_t i = 0; i < all.size() && all.size() > 1; ++i) {
            all[i].device = chosen[i];
            if (i > 0 && !options.pipeline_cache.empty()) all[i].pipeline_cache += fmt::format("-{}", i);
        }
    } catch (const std::exception& error) {
        spdlog::warn("msg=\"no matching device\" gpu={:?} error={:?}", options.device,
                     std::string_view(error.what()));
    }
    return all;
}

} // namespace

std::vector<MakeRenderDevice> make_devices(const render::Options& options, RenderProcess mode,
                                           const render_process::ProcessOptions& process)
{
    // Loading the software driver takes longer than everything else before the server listens. There is one
    // device of it at most, which the render thread finds itself.
    if (options.device == "software") {
        if (mode == RenderProcess::always) return {make_process(options, process)};
        return {make_renderer(options, nullptr)};
    }
    const auto drivers = load_drivers();
    std::vector<MakeRenderDevice> makers;
    for (const auto& one : options_of_devices(options)) {
        if (uses_process(mode, one.device))
            makers.push_back(make_process(one, process));
        else
            makers.push_back(make_renderer(one, drivers));
    }
    return makers;
}

} // namespace vitrine::server
