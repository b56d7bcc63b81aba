// Jobs: read the state of an import, cancel it.
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/services/events/event_bus.hpp"

namespace vitrine::server {

HandlerResult get_job(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto job = context.services.catalog.find_job(request.param("id"));
    if (!job) return problem(job.error());
    return json_response(200, to_json(*job));
}

HandlerResult cancel_job(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto job = context.services.catalog.cancel_job(request.param("id"));
    if (!job) return problem(job.error());
    if (job->state == JobState::cancelled) { // it was queued: no worker publishes the asset's new state
        auto asset = context.services.catalog.find_asset(job->asset);
        if (asset) announce(context.services.events, "asset.failed", *asset);
    }
    announce(context.services.events, *job);
    return json_response(202, to_json(*job));
}

} // namespace vitrine::server
