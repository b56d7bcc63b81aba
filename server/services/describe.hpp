#pragma once
// From a Scene to what the catalog keeps of it.

#include <functional>
#include <span>
#include <string>

#include "server/services/catalog.hpp"
#include "server/services/render_thread.hpp"
#include "server/services/scene_store.hpp"

namespace vitrine::server {

// Facts, counts, summary and search text; `more` are warnings that the loader did not give.
Metadata describe(const scene::Scene& scene, std::span<const scene::Warning> more = {});

// Fact::bounds. Exact boxes come from the device, or from the CPU where it fails; conservative ones contain
// them. `go_on(fraction)` is asked between clips; false ends it early with an empty text.
std::string describe_bounds(const SharedScene& scene, RenderThread& renders,
                            const std::function<bool(double)>& go_on);

} // namespace vitrine::server
