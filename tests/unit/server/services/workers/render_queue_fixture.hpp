#pragma once
// The queue of images in a catalog of its own, in which requests wait for the preferred worker.

#include <string>

#include "server/services/workers/render_queue.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {

class RenderQueueTest : public CatalogTest {
protected:
    RenderQueue queue(const RenderQueueLimits& limits = {.grace = std::chrono::hours(1),
                                                         .avoid = std::chrono::hours(1)})
    {
        return RenderQueue(catalog.connections(), limits);
    }
    static RemoteRender remote_render(const std::string& id)
    {
        return {.id = id, .model = "model of " + id, .request = "draw " + id};
    }
};

} // namespace vitrine::server::testing
