#pragma once
// The factories of the devices that the server renders with.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "server/render_process/process_device.hpp"
#include "server/services/rendering/render_thread.hpp"
#include "vk_renderer/base/options.hpp"

namespace vitrine::server {

// Which devices render in processes of their own (render_process::ProcessDevice) instead of the server's:
// graphics cards, or all, or none.
enum class RenderProcess : std::uint8_t { automatic, always, never };

struct RenderProcessWord {
    std::string_view word;
    RenderProcess mode;
};
inline constexpr std::array render_process_words{RenderProcessWord{"auto", RenderProcess::automatic},
                                                 RenderProcessWord{"always", RenderProcess::always},
                                                 RenderProcessWord{"never", RenderProcess::never}};

// Returns one factory per device that options.device selects, in order, each with its own pipeline cache; if
// no device matches now, one factory that searches again on each call.
std::vector<MakeRenderDevice> make_devices(const render::Options& options,
                                           RenderProcess mode = RenderProcess::never,
                                           const render_process::ProcessOptions& process = {});

} // namespace vitrine::server
